//! Servers for tests. `scripts/servers` starts them and says where they are; a test that needs one and finds no
//! address says so and passes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The value of a variable of `scripts/servers`, or a note that the test does nothing without.
pub(crate) fn variable(name: &str, test: &str) -> Option<String> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    if value.is_none() {
        println!("{test}: not run, {name} is not set (scripts/servers sets it)");
    }
    value
}

/// A database of its own on the server.
pub(crate) async fn database(server: &str, name: &str) -> String {
    let (client, connection) =
        tokio_postgres::connect(server, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await.unwrap();
    client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    let (host, _) = server.rsplit_once('/').unwrap();
    format!("{host}/{name}")
}

/// A Redis of the test's own, to be killed.
pub(crate) struct Redis {
    command: Vec<String>,
    port: u16,
    child: Option<Child>,
    arguments: Vec<&'static str>,
}

impl Redis {
    pub(crate) fn new(command: &str, arguments: &[&'static str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let command = command.split_whitespace().map(str::to_owned).collect();
        Self { command, port, child: None, arguments: arguments.to_vec() }
    }

    pub(crate) fn started(command: &str) -> Self {
        let mut redis = Self::new(command, &[]);
        redis.start();
        redis
    }

    pub(crate) fn start(&mut self) {
        let port = self.port.to_string();
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).args([
            "--port",
            &port,
            "--bind",
            "127.0.0.1",
            "--dir",
            "/tmp",
        ]);
        command.args(["--save", "", "--appendonly", "no"]).args(&self.arguments);
        self.child = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        for _ in 0..400 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok()
                && self.ask("PING").contains("PONG")
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("Redis does not start");
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// What it says to an inline command.
    pub(crate) fn ask(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(format!("{command}\r\n").as_bytes()).unwrap();
        let mut answer = [0; 4096];
        let read = stream.read(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[..read]).into_owned()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}
