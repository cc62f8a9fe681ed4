//! A cipher for records: XChaCha20-Poly1305, with a key for each session that is derived from the host's.

use std::fmt;

use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use sha2::Sha256;

use crate::{Cipher, Error, Place};

/// What sealed records begin with: the version of their form.
const FORM: u8 = 1;
const NONCE: usize = 24;

/// Seals records with XChaCha20-Poly1305. The key of a session is derived from the host's by HKDF-SHA-256 and the
/// session's id; session, kind of record and sequence number are bound in, so that no record opens in the place of
/// another. Nonces are random, from the operating system. Ids, sequence numbers and times stay readable.
///
/// To change the host's key, export the sessions with the old one and import them with the new one.
pub struct SealedRecords(Hkdf<Sha256>);

impl SealedRecords {
    /// A cipher with the host's key: 32 random bytes, from where it keeps its secrets.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(Hkdf::new(Some(b"promptline-session"), key))
    }

    fn of_session(&self, session: &str) -> Result<XChaCha20Poly1305, Error> {
        let mut key = [0; 32];
        let derived = self.0.expand(session.as_bytes(), &mut key);
        derived.map_err(|_| Error::invalid("no key can be derived for the session"))?;
        Ok(XChaCha20Poly1305::new(&Key::from(key)))
    }
}

impl fmt::Debug for SealedRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedRecords")
    }
}

/// What is bound in; lengths in front, so that no two places look alike.
fn bound(place: &Place<'_>) -> Vec<u8> {
    let mut bound = vec![FORM];
    for text in [place.session, place.record] {
        bound.extend((text.len() as u64).to_le_bytes());
        bound.extend(text.as_bytes());
    }
    bound.extend(place.seq.to_le_bytes());
    bound
}

impl Cipher for SealedRecords {
    fn seal(&self, place: &Place<'_>, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let nonce = XNonce::try_generate()
            .map_err(|_| Error::unavailable("the operating system gives no random numbers"))?;
        let payload = Payload { msg: plain, aad: &bound(place) };
        let sealed = self.of_session(place.session)?.encrypt(&nonce, payload);
        let sealed = sealed.map_err(|_| Error::invalid("the record cannot be sealed"))?;
        let mut record = Vec::with_capacity(1 + NONCE + sealed.len());
        record.push(FORM);
        record.extend(nonce.iter());
        record.extend(sealed);
        Ok(record)
    }

    fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let wrong = || Error::invalid("it was not sealed here with this key, or has been changed");
        let Some((&FORM, rest)) = sealed.split_first() else { return Err(wrong()) };
        let (nonce, sealed) = rest.split_at_checked(NONCE).ok_or_else(wrong)?;
        let nonce = <[u8; NONCE]>::try_from(nonce).map_err(|_| wrong())?;
        let payload = Payload { msg: sealed, aad: &bound(place) };
        self.of_session(place.session)?.decrypt(&XNonce::from(nonce), payload).map_err(|_| wrong())
    }
}
