//! Who can replace a file: the way from `/` to it, through every link, and whoever may rename or
//! remove an entry of a directory on that way.
//!
//! A directory with the sticky bit lets only an entry's owner, its own and root replace the entry.
//! A snapshot: what changes while it is taken, or mounts and access control lists that widen the
//! mode, are not seen.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::fs::{Dir, Metadata, MetadataExt};
use rustix::io::Errno;

/// How many links are followed. Threat: a ring of them.
const MAX_LINKS: usize = 40;

const STICKY: u32 = 0o1000;
const GROUP_WRITES: u32 = 0o020;
const ANYONE_WRITES: u32 = 0o002;

/// Where a path leads.
pub(super) struct Walk {
    /// Absolute, without links.
    pub(super) resolved: PathBuf,
    pub(super) metadata: Metadata,
    steps: Vec<Step>,
}

/// An entry that was looked up in a directory.
struct Step {
    dir: PathBuf,
    dir_owner: u32,
    dir_group: u32,
    dir_mode: u32,
    entry: PathBuf,
    entry_owner: u32,
}

/// A way for somebody else to replace what a path leads to, or to change it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hazard {
    /// The directory or file that lets them.
    pub(super) at: PathBuf,
    pub(super) who: Who,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Anyone,
    Group(u32),
    Owner(u32),
}

impl Walk {
    /// Walks to an absolute path from `root`, which is `/`.
    pub(super) fn to(root: &Dir, path: &Path) -> io::Result<Self> {
        let mut ahead = names(path);
        let mut at = PathBuf::from("/");
        let mut metadata = root.dir_metadata()?;
        let mut steps = Vec::new();
        let mut links = 0;
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                at.pop();
                metadata = stat(root, &at)?;
                continue;
            }
            let entry = at.join(&name);
            let found = stat(root, &entry)?;
            steps.push(Step {
                dir: at.clone(),
                dir_owner: metadata.uid(),
                dir_group: metadata.gid(),
                dir_mode: metadata.mode(),
                entry: entry.clone(),
                entry_owner: found.uid(),
            });
            if found.is_symlink() {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP.into());
                }
                let target = root.read_link_contents(below_root(&entry))?;
                if target.is_absolute() {
                    at = PathBuf::from("/");
                    metadata = root.dir_metadata()?;
                }
                for name in names(&target).into_iter().rev() {
                    ahead.push_front(name);
                }
            } else {
                (at, metadata) = (entry, found);
            }
        }
        Ok(Self {
            resolved: at,
            metadata,
            steps,
        })
    }

    /// Who, other than root, `user` and the owner of what it leads to, can replace it.
    pub(super) fn hazards(&self, user: u32) -> Vec<Hazard> {
        let trusted = [0, user, self.metadata.uid()];
        let mut hazards = Vec::new();
        for step in &self.steps {
            let at = |who| Hazard {
                at: step.dir.clone(),
                who,
            };
            if !trusted.contains(&step.dir_owner) {
                hazards.push(at(Who::Owner(step.dir_owner)));
            }
            let writers = writers(step.dir_mode, step.dir_group);
            if step.dir_mode & STICKY == 0 {
                hazards.extend(writers.map(at));
            } else if writers.is_some() && !trusted.contains(&step.entry_owner) {
                hazards.push(Hazard {
                    at: step.entry.clone(),
                    who: Who::Owner(step.entry_owner),
                });
            }
        }
        hazards
    }

    /// Who else can write what it leads to.
    pub(super) fn writers(&self) -> Option<Hazard> {
        writers(self.metadata.mode(), self.metadata.gid()).map(|who| Hazard {
            at: self.resolved.clone(),
            who,
        })
    }
}

fn writers(mode: u32, group: u32) -> Option<Who> {
    if mode & ANYONE_WRITES != 0 {
        Some(Who::Anyone)
    } else {
        (mode & GROUP_WRITES != 0).then_some(Who::Group(group))
    }
}

fn stat(root: &Dir, path: &Path) -> io::Result<Metadata> {
    if path == Path::new("/") {
        root.dir_metadata()
    } else {
        root.symlink_metadata(below_root(path))
    }
}

/// The path as seen from the capability of `/`.
pub(super) fn below_root(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

fn names(path: &Path) -> VecDeque<OsString> {
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    names.collect()
}
