//! A real etcd, started here on a free loopback port. `PROMPTLINE_ETCD` is its program; unset, the `etcd` of the
//! system, and where there is none the tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use promptline_params::{Declarations, ErrorKind, Etcd, Literals, ParamSource, Params};
use serde_json::json;

struct Server {
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    peer: u16,
    child: Option<Child>,
}

impl Server {
    fn start() -> Option<Self> {
        let program = match std::env::var_os("PROMPTLINE_ETCD") {
            Some(program) => PathBuf::from(program),
            None => {
                let found = std::env::split_paths(&std::env::var_os("PATH")?)
                    .map(|folder| folder.join("etcd"))
                    .find(|program| program.is_file());
                let Some(found) = found else {
                    println!("there is no etcd: set PROMPTLINE_ETCD, or install etcd-server");
                    return None;
                };
                found
            }
        };
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let mut server = Self { program, folder, port: free(), peer: free(), child: None };
        server.run();
        Some(server)
    }

    fn run(&mut self) {
        let client = format!("http://127.0.0.1:{}", self.port);
        let peer = format!("http://127.0.0.1:{}", self.peer);
        let child = Command::new(&self.program)
            .args(["--data-dir", self.folder.path().join("data").to_str().unwrap()])
            .args(["--listen-client-urls", &client, "--advertise-client-urls", &client])
            .args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer])
            .args(["--initial-cluster", &format!("default={peer}"), "--unsafe-no-fsync"])
            .env_remove("ETCD_UNSUPPORTED_ARCH")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(match child {
            Ok(child) => child,
            Err(error) => panic!("{} cannot be started: {error}", self.program.display()),
        });
        let since = Instant::now();
        while self.etcd().load().is_err() {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                // Of an older release, that does not know the flag.
                panic!("etcd ended: {status}");
            }
            assert!(since.elapsed() < Duration::from_secs(60), "etcd does not come up");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn etcd(&self) -> Etcd {
        Etcd::new(format!("http://127.0.0.1:{}", self.port), "shop/")
    }

    /// As `kill -9`.
    fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
    }
}

fn declared() -> Declarations {
    Declarations::parse(
        "params.toml",
        "[params.free_shipping_threshold]\ntype = \"money\"\nunit = \"CNY\"\nmin = 0\nmax = 1000\n\
         [params.return_days]\ntype = \"duration\"\ndefault = \"15d\"\nlocale = \"zh\"\n",
    )
    .unwrap()
}

fn wait_for(params: &Params, threshold: u32) -> Duration {
    let since = Instant::now();
    loop {
        let seen = params.seen();
        if params.current().get::<u32>("free_shipping_threshold").unwrap() == threshold {
            return since.elapsed();
        }
        assert!(since.elapsed() < Duration::from_secs(60), "{:?}", params.last_error());
        let _ = params.wait(&seen, Duration::from_secs(1));
    }
}

#[test]
fn the_incident_from_a_real_etcd() {
    let Some(server) = Server::start() else { return };
    let etcd = server.etcd();
    etcd.set("free_shipping_threshold", &json!(99)).unwrap();
    // Polling cannot be what makes it.
    let builder =
        Params::builder(declared()).source(etcd.clone()).with_poll(Duration::from_secs(600));
    let params = builder.watch().unwrap();
    let before = params.current();
    assert_eq!(before.get::<u32>("free_shipping_threshold").unwrap(), 99);
    assert_eq!(before.param("free_shipping_threshold").unwrap().origin, "etcd shop/");
    etcd.set("free_shipping_threshold", &json!(79)).unwrap();
    println!("99 -> 79 in the next generation after {:?}", wait_for(&params, 79));
    assert_ne!(params.current().hash(), before.hash());
    // A build that is under way keeps what it began with.
    assert_eq!(before.get::<u32>("free_shipping_threshold").unwrap(), 99);
    // Its history is etcd's: 99 is declared nowhere.
    let found = Literals::new(&declared(), &params.current()).find("rules.md", "满99包邮");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("earlier; it is 79 now"), "{}", found[0].message);
    // What is out of range is not used.
    let seen = params.seen();
    etcd.set("free_shipping_threshold", &json!(5000)).unwrap();
    assert!(params.wait(&seen, Duration::from_secs(60)));
    let error = params.last_error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("etcd shop/free_shipping_threshold"), "{error}");
    assert_eq!(params.current().get::<u32>("free_shipping_threshold").unwrap(), 79);
}

#[test]
fn etcd_is_killed_and_comes_back() {
    let Some(mut server) = Server::start() else { return };
    let etcd = server.etcd();
    etcd.set("free_shipping_threshold", &json!(99)).unwrap();
    let builder =
        Params::builder(declared()).source(etcd.clone()).with_poll(Duration::from_secs(600));
    let params = builder.watch().unwrap();
    etcd.set("free_shipping_threshold", &json!(98)).unwrap();
    wait_for(&params, 98);
    server.kill();
    assert_eq!(params.current().get::<u32>("free_shipping_threshold").unwrap(), 98);
    assert_eq!(etcd.load().unwrap_err().kind(), ErrorKind::Io);
    server.run();
    // Changed before anybody watches again, and after.
    etcd.set("free_shipping_threshold", &json!(79)).unwrap();
    println!("back, and 79 after {:?}", wait_for(&params, 79));
    etcd.set("free_shipping_threshold", &json!(69)).unwrap();
    wait_for(&params, 69);
    assert!(params.last_error().is_none(), "{:?}", params.last_error());
}
