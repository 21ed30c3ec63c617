//! The crates that have to travel, read from disk.
//!
//! The program, crates of Boughs and path dependencies travel. Everything else is a fault, because a judge has only the
//! standard library. Crates of Boughs are taken without their default features, with which they need other crates.

mod cfg;
mod embedded;
mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cargo_metadata::{
    CargoOpt, DependencyKind, Metadata, MetadataCommand, Node, NodeDep, Package, PackageId, Target, TargetKind,
};

use crate::fault::ExportError;
use crate::header::Header;
use crate::process;
use crate::shelf::Shelf;
use cfg::Cfg;

/// The most time for cargo, which may ask the registry for packages.
const LIMIT: Duration = Duration::from_secs(120);

/// The machine of the judges.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// A crate with all its modules in one tree.
pub struct Source {
    /// The name of the crate, as paths write it.
    pub name: String,
    /// Names of other crates in paths of this crate, and the crates they mean.
    pub dependencies: BTreeMap<String, String>,
    /// The crate's code, without what its features and the platform leave out.
    pub file: syn::File,
    /// The number of its reading, if it may be known from earlier.
    pub(crate) number: Option<usize>,
}

/// The crates of a program.
pub struct Sources {
    /// The program itself.
    pub program: Source,
    /// The libraries, each after those it depends on.
    pub libraries: Vec<Source>,
    /// The files that they are made of.
    pub read: Read,
    /// The head of the file.
    pub(crate) header: Header,
}

/// The files that were read, and their size.
#[derive(Clone, Default)]
pub struct Read {
    /// Every file.
    pub files: Vec<PathBuf>,
    /// The characters of all files.
    pub characters: usize,
    /// The characters of the code of all files, without comments and needless white space.
    pub code: usize,
}

/// Reads the program of a crate, and every crate that has to travel with it.
pub fn read(folder: &Path, bin: Option<&str>) -> Result<Sources, ExportError> {
    read_with(folder, bin, &mut Shelf::default())
}

/// The same, where libraries may be known.
pub(crate) fn read_with(folder: &Path, bin: Option<&str>, shelf: &mut Shelf) -> Result<Sources, ExportError> {
    let metadata = metadata(folder)?;
    let root = root(&metadata, folder)?;
    let target = binary(root, bin)?;
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    visit(&metadata, &root.id, &mut seen, &mut order)?;
    let mut read = Read { files: vec![root.manifest_path.clone().into_std_path_buf()], ..Read::default() };
    let mut libraries = Vec::new();
    for id in &order {
        let package = &metadata[id];
        if let Some(library) = library(package).filter(|library| library.name != target.name || *id != root.id) {
            libraries.push(shelved(&metadata, package, library, shelf, &mut read)?);
        }
    }
    let mut program = source(&metadata, root, target, &mut read)?;
    if let Some(library) = library(root) {
        program.dependencies.insert(crate_name(&library.name), crate_name(&library.name));
    }
    let header = Header::read(&target.name, target.src_path.as_std_path());
    Ok(Sources { program, libraries, read, header })
}

/// Asks cargo for the packages.
fn metadata(folder: &Path) -> Result<Metadata, ExportError> {
    let manifest = folder.join("Cargo.toml");
    if !folder.is_dir() {
        let what = if folder.exists() { "is no folder" } else { "is not there" };
        return Err(ExportError::new(format!("{} {what}; name the folder of the bot's crate", folder.display())));
    }
    if !manifest.is_file() {
        return Err(ExportError::new(format!(
            "{} has no Cargo.toml; name the folder of the bot's crate",
            folder.display()
        )));
    }
    // Cargo looks for a workspace above the folder itself, not above a link to it.
    let manifest = manifest.canonicalize().unwrap_or(manifest);
    let mut command = MetadataCommand::new();
    command.manifest_path(manifest).features(CargoOpt::SomeFeatures(Vec::new()));
    command.other_options(["--filter-platform".to_string(), PLATFORM.to_string()]);
    let output = process::output(&mut command.cargo_command(), LIMIT)?;
    let fault = |told: &str| {
        let told = told.lines().map(|line| line.trim_start_matches("error: ").trim());
        let told: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
        ExportError::new(format!("cargo cannot read {}: {}", folder.display(), told.join(", ")))
    };
    match output.status.success() {
        true => {
            MetadataCommand::parse(String::from_utf8_lossy(&output.stdout)).map_err(|error| fault(&error.to_string()))
        }
        false => Err(fault(&String::from_utf8_lossy(&output.stderr))),
    }
}

fn root<'a>(metadata: &'a Metadata, folder: &Path) -> Result<&'a Package, ExportError> {
    let manifest = folder.join("Cargo.toml").canonicalize();
    let manifest =
        manifest.map_err(|error| ExportError::new(format!("{} cannot be read: {error}", folder.display())))?;
    let found = metadata.packages.iter().find(|package| package.manifest_path.as_std_path() == manifest);
    found.ok_or_else(|| {
        ExportError::new(format!(
            "{} is a workspace and no crate; name the folder of the bot's crate",
            folder.display()
        ))
    })
}

/// The binary of a crate that has this name, or its only one.
fn binary<'a>(package: &'a Package, bin: Option<&str>) -> Result<&'a Target, ExportError> {
    let bins: Vec<&Target> = package.targets.iter().filter(|target| target.is_bin()).collect();
    let names = bins.iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(", ");
    let name = &package.name;
    match (bin, bins.as_slice()) {
        (_, []) => Err(ExportError::new(format!("the crate {name} has no binary; write its src/main.rs"))),
        (None, [only]) => Ok(only),
        (None, _) => {
            Err(ExportError::new(format!("the crate {name} has several binaries; choose one of {names} by --bin")))
        }
        (Some(bin), _) => bins.iter().find(|target| target.name == bin).copied().ok_or_else(|| {
            ExportError::new(format!("the crate {name} has no binary '{bin}'; its binaries are {names}"))
        }),
    }
}

/// Adds the packages that this one needs, and then itself.
fn visit(
    metadata: &Metadata,
    id: &PackageId,
    seen: &mut BTreeSet<PackageId>,
    order: &mut Vec<PackageId>,
) -> Result<(), ExportError> {
    if !seen.insert(id.clone()) {
        return Ok(());
    }
    let package = &metadata[id];
    for dependency in dependencies(metadata, package) {
        check(package, &metadata[&dependency.pkg])?;
        visit(metadata, &dependency.pkg, seen, order)?;
    }
    if package.targets.iter().any(Target::is_custom_build) {
        return Err(ExportError::new(format!(
            "the crate {} has a build script, which a judge does not run; do without its build.rs",
            package.name
        )));
    }
    order.push(id.clone());
    Ok(())
}

/// Checks that a dependency can travel.
fn check(package: &Package, dependency: &Package) -> Result<(), ExportError> {
    let (name, other) = (&package.name, &dependency.name);
    if dependency.targets.iter().any(Target::is_proc_macro) {
        return Err(ExportError::new(format!(
            "the crate {name} depends on the procedural macros of {other}, which a judge does not have; write out \
             what they make"
        )));
    }
    if dependency.source.is_some() && !is_of_boughs(dependency) {
        return Err(ExportError::new(format!(
            "the crate {name} depends on {other}, which a judge does not have; use the standard library, or a path \
             dependency"
        )));
    }
    Ok(())
}

fn is_of_boughs(package: &Package) -> bool {
    package.name.as_str() == "boughs" || package.name.starts_with("boughs-")
}

/// The dependencies of a package's code as it is exported.
fn dependencies<'a>(metadata: &'a Metadata, package: &Package) -> impl Iterator<Item = &'a NodeDep> {
    let features = features(metadata, package);
    let off: BTreeSet<String> = package
        .dependencies
        .iter()
        .filter(|_| is_of_boughs(package))
        .filter(|dependency| dependency.optional && !is_turned_on(package, &features, &dependency.name))
        .map(|dependency| dependency.rename.clone().unwrap_or_else(|| dependency.name.clone()))
        .map(|name| crate_name(&name))
        .collect();
    let node = node(metadata, &package.id);
    let is_normal = |dependency: &&NodeDep| dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
    node.into_iter()
        .flat_map(|node| &node.deps)
        .filter(is_normal)
        .filter(move |dependency| !off.contains(&dependency.name))
}

/// Returns true if a feature that is on turns on an optional dependency.
fn is_turned_on(package: &Package, features: &BTreeSet<String>, dependency: &str) -> bool {
    let names = [dependency.to_string(), format!("dep:{dependency}")];
    let turned =
        |feature: &String| package.features.get(feature).is_some_and(|on| on.iter().any(|on| names.contains(on)));
    features.contains(dependency) || features.iter().any(turned)
}

fn node<'a>(metadata: &'a Metadata, id: &PackageId) -> Option<&'a Node> {
    metadata.resolve.as_ref().and_then(|resolve| resolve.nodes.iter().find(|node| node.id == *id))
}

/// The features of a package: those that cargo resolves, for a crate of Boughs without what its default turns on.
fn features(metadata: &Metadata, package: &Package) -> BTreeSet<String> {
    let resolved = node(metadata, &package.id).map(|node| node.features.iter().map(ToString::to_string));
    let mut features: BTreeSet<String> = resolved.into_iter().flatten().collect();
    if is_of_boughs(package) {
        let mut waiting = vec!["default".to_string()];
        while let Some(feature) = waiting.pop() {
            features.remove(&feature);
            waiting.extend(package.features.get(&feature).into_iter().flatten().cloned());
        }
    }
    features
}

fn library(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_kind(TargetKind::RLib);
    package.targets.iter().find(is_library)
}

fn source(metadata: &Metadata, package: &Package, target: &Target, read: &mut Read) -> Result<Source, ExportError> {
    let cfg = Cfg { features: features(metadata, package) };
    let environment = embedded::Environment::of(package, &crate_name(&target.name));
    let file = modules::read(target.src_path.as_std_path(), &cfg, &environment, read)?;
    let dependencies = named_dependencies(metadata, package);
    Ok(Source { name: crate_name(&target.name), dependencies, file, number: None })
}

/// The source of a library, which may be known.
fn shelved(
    metadata: &Metadata,
    package: &Package,
    target: &Target,
    shelf: &mut Shelf,
    read: &mut Read,
) -> Result<Source, ExportError> {
    let cfg = Cfg { features: features(metadata, package) };
    let environment = embedded::Environment::of(package, &crate_name(&target.name));
    let settings = format!("{:?} {environment:?} {}", cfg.features, target.src_path);
    let (file, own, number) = shelf.library(&package.id.repr, settings, |read| {
        modules::read(target.src_path.as_std_path(), &cfg, &environment, read)
    })?;
    read.files.extend(own.files);
    read.characters += own.characters;
    read.code += own.code;
    let dependencies = named_dependencies(metadata, package);
    Ok(Source { name: crate_name(&target.name), dependencies, file, number: Some(number) })
}

/// The names of the dependencies of a package in its code, and the crates that they mean.
fn named_dependencies(metadata: &Metadata, package: &Package) -> BTreeMap<String, String> {
    let dependencies = dependencies(metadata, package).filter_map(|dependency| {
        let name = library(&metadata[&dependency.pkg]).map(|library| crate_name(&library.name));
        Some((dependency.name.clone(), name?))
    });
    dependencies.collect()
}

/// The name of a crate in paths.
fn crate_name(name: &str) -> String {
    name.replace('-', "_")
}
