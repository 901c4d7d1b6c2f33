//! A directory of tables of one game.
//!
//! Below the directory that the user names there is one for each game, and in it a file for each slice and metric
//! (`1102.wld`: one man and a king against two kings, the former to move) and `manifest.json`, which lists them with their
//! checksums. Files come into being whole, by renaming; the manifest follows. A file that is not what it should be is
//! refused by name.

use super::Material;
use super::file::{Fault, FileError, Identity, Metric, Table, checksum_of_rest, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the list of files.
const MANIFEST: &str = "manifest.json";

/// The list of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    /// The program that wrote it last.
    program: String,
    /// The game.
    #[serde(flatten)]
    identity: Identity,
    /// The files by name.
    files: BTreeMap<String, Entry>,
}

/// What the list says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its size.
    pub bytes: u64,
    /// The checksum that it ends with.
    pub checksum: u32,
    /// Placements.
    pub positions: u64,
}

/// A directory of tables of one game.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    manifest: Manifest,
}

impl Store {
    /// The tables of a game below `directory`; there may be none.
    ///
    /// # Errors
    /// The manifest cannot be read, or is of another game.
    pub fn open(directory: &Path, identity: &Identity) -> Result<Self, FileError> {
        let path = directory.join(identity.directory());
        let list = path.join(MANIFEST);
        let fail = |fault| Err(FileError { path: list.clone(), fault });
        let program = format!("soffio {}", env!("CARGO_PKG_VERSION"));
        let empty = Manifest { program, identity: identity.clone(), files: BTreeMap::new() };
        let text = match fs::read_to_string(&list) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { path, manifest: empty });
            }
            Err(error) => return fail(Fault::System(error)),
        };
        match serde_json::from_str::<Manifest>(&text) {
            Ok(manifest) if manifest.identity == *identity => {
                Ok(Self { path, manifest: Manifest { files: manifest.files, ..empty } })
            }
            Ok(manifest) => fail(Fault::Foreign(manifest.identity.directory(), identity.directory())),
            Err(error) => fail(Fault::Header(error.to_string())),
        }
    }

    /// The directory of the game.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The game.
    pub fn identity(&self) -> &Identity {
        &self.manifest.identity
    }

    /// The file of a slice.
    pub fn file(&self, material: Material, metric: Metric) -> PathBuf {
        self.path.join(name(material, metric))
    }

    /// What the list says of a slice; `None` if it is not there.
    pub fn entry(&self, material: Material, metric: Metric) -> Option<Entry> {
        self.manifest.files.get(&name(material, metric)).copied()
    }

    /// Whether the file of a slice is there. One that came to be just before the program was ended is put on the list.
    ///
    /// # Errors
    /// It is there and is not what it should be.
    pub fn has(&mut self, material: Material, metric: Metric) -> Result<bool, FileError> {
        let path = self.file(material, metric);
        match (self.entry(material, metric), path.exists()) {
            (_, false) => Ok(false),
            (Some(entry), true) => self.check(&path, entry).map(|()| true),
            (None, true) => {
                let bytes = fs::read(&path).map_err(|error| FileError::system(&path, error))?;
                let header =
                    super::file::header(&bytes).map_err(|fault| FileError { path: path.clone(), fault })?;
                let fault = |is: String| Fault::Foreign(is, self.manifest.identity.directory());
                if header.identity != self.manifest.identity {
                    return Err(FileError { path, fault: fault(header.identity.directory()) });
                }
                self.list(material, metric, &bytes, header.positions)?;
                Ok(true)
            }
        }
    }

    /// Whether a file has the size and the checksum that the list gives.
    fn check(&self, path: &Path, entry: Entry) -> Result<(), FileError> {
        let bytes = fs::read(path).map_err(|error| FileError::system(path, error))?;
        let fault = match () {
            () if bytes.len() as u64 != entry.bytes => Fault::Size,
            () if checksum_of_rest(&bytes) != entry.checksum
                || !bytes.ends_with(&entry.checksum.to_le_bytes()) =>
            {
                Fault::Checksum
            }
            () => return Ok(()),
        };
        Err(FileError { path: path.to_owned(), fault })
    }

    /// Writes the file of a slice and lists it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn save(
        &mut self,
        material: Material,
        metric: Metric,
        bytes: &[u8],
        positions: u64,
    ) -> Result<(), FileError> {
        fs::create_dir_all(&self.path).map_err(|error| FileError::system(&self.path, error))?;
        write_whole(&self.file(material, metric), bytes)?;
        self.list(material, metric, bytes, positions)
    }

    fn list(
        &mut self,
        material: Material,
        metric: Metric,
        bytes: &[u8],
        positions: u64,
    ) -> Result<(), FileError> {
        let entry = Entry { bytes: bytes.len() as u64, checksum: checksum_of_rest(bytes), positions };
        self.manifest.files.insert(name(material, metric), entry);
        let path = self.path.join(MANIFEST);
        let text = serde_json::to_string_pretty(&self.manifest)
            .map_err(|error| FileError { path: path.clone(), fault: Fault::Header(error.to_string()) })?;
        write_whole(&path, (text + "\n").as_bytes())
    }

    /// Reads the table of a slice.
    ///
    /// # Errors
    /// It is not there, not the one that the list means, or not whole.
    pub fn table(&self, material: Material) -> Result<Table, FileError> {
        let path = self.file(material, Metric::Wld);
        if let Some(entry) = self.entry(material, Metric::Wld) {
            self.check(&path, entry)?;
        }
        Table::open(&path, self.identity())
    }
}

fn name(material: Material, metric: Metric) -> String {
    format!("{material}.{}", metric.name())
}
