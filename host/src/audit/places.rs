//! The files and directories that a configuration names: what they are, and who else could swap
//! them. Everything is looked at through one capability of `/`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, MetadataExt};
use rustix::process::geteuid;
use sha2::{Digest, Sha256};

use super::report::{Finding, Place};
use super::walk::{Hazard, Walk, Who, below_root};
use crate::component::Sha256Hex;
use crate::regular;

/// A path to look at.
pub(super) struct Named {
    /// What it is to the run, with its article left out.
    pub(super) role: &'static str,
    pub(super) path: PathBuf,
    pub(super) wanted: Wanted,
    /// Where it was named, for the remedy.
    pub(super) by: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    File,
    Executable,
    Directory,
}

/// Looks at every path. Two roles of one path are one place.
pub(super) fn look(
    named: Vec<Named>,
    findings: &mut Vec<Finding>,
    authority: AmbientAuthority,
) -> Vec<Place> {
    let root = match Dir::open_ambient_dir("/", authority) {
        Ok(root) => root,
        Err(error) => {
            let sentence = format!("`/` cannot be opened ({error}); nothing could be looked at.");
            findings.push(finding("places", sentence));
            return Vec::new();
        }
    };
    let mut places = Vec::new();
    let mut hazards: Vec<(Hazard, Vec<&str>)> = Vec::new();
    for named in named {
        match one(&root, &named, findings) {
            Err(error) => findings.push(finding(
                named.role,
                format!(
                    "{} cannot be looked at ({error}); correct {}.",
                    named.path.display(),
                    named.by
                ),
            )),
            Ok((place, found)) => {
                places.push(place);
                for hazard in found {
                    match hazards.iter_mut().find(|(known, _)| *known == hazard) {
                        Some((_, roles)) if roles.contains(&named.role) => {}
                        Some((_, roles)) => roles.push(named.role),
                        None => hazards.push((hazard, vec![named.role])),
                    }
                }
            }
        }
    }
    for (hazard, roles) in hazards {
        let roles = roles.join(", the ");
        findings.push(finding(&roles, sentence(&hazard, &roles)));
    }
    places
}

fn one(root: &Dir, named: &Named, findings: &mut Vec<Finding>) -> io::Result<(Place, Vec<Hazard>)> {
    let walk = Walk::to(root, &named.path)?;
    let (metadata, path) = (&walk.metadata, walk.resolved.display());
    let wrong = match named.wanted {
        Wanted::Directory if !metadata.is_dir() => Some("is no directory"),
        Wanted::File | Wanted::Executable if !metadata.is_file() => Some("is no regular file"),
        Wanted::Executable if metadata.mode() & 0o111 == 0 => {
            Some("cannot be executed by anybody; make it executable")
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        let sentence = format!("{path} {wrong}; correct {}.", named.by);
        findings.push(finding(named.role, sentence));
    }
    let mut hazards = walk.hazards(geteuid().as_raw());
    hazards.extend(walk.writers());
    let sha256 = if metadata.is_file() {
        Some(digest(root, &walk.resolved)?.to_string())
    } else {
        None
    };
    let place = Place {
        role: named.role.to_owned(),
        path: named.path.display().to_string(),
        resolved: path.to_string(),
        directory: metadata.is_dir(),
        owner: metadata.uid(),
        group: metadata.gid(),
        mode: format!("{:04o}", metadata.mode() & 0o7777),
        sha256,
        replaceable_by_others: !hazards.is_empty(),
    };
    Ok((place, hazards))
}

fn digest(root: &Dir, path: &Path) -> io::Result<Sha256Hex> {
    // Not bounded: nothing of it is kept.
    let mut file = regular::open(root, below_root(path))?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Sha256Hex::finished(digest)),
            read => digest.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

fn sentence(hazard: &Hazard, roles: &str) -> String {
    let at = hazard.at.display();
    match hazard.who {
        Who::Anyone => format!(
            "{at} can be written by anyone, who could so replace or change the {roles}; type \
             `chmod go-w {at}`, or move what is in it to a directory of its owner's alone."
        ),
        Who::Group(group) => format!(
            "{at} can be written by group {group}, which could so replace or change the {roles}; type \
             `chmod g-w {at}`, or move what is in it to a directory of its owner's alone."
        ),
        Who::Owner(owner) => format!(
            "{at} belongs to user {owner}, who could so replace or change the {roles}; give it to root or \
             to the owner of what it leads to, or move that to another directory."
        ),
    }
}

pub(super) fn finding(about: &str, sentence: String) -> Finding {
    Finding {
        about: about.to_owned(),
        sentence,
    }
}
