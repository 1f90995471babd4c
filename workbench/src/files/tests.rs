use super::*;

#[test]
fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let names = || fs::read_dir(folder.path()).unwrap().count();
    for (written, is_there) in [("", false), ("old", true)] {
        if is_there {
            replace(&path, written.as_bytes()).unwrap();
        }
        // A disk that fills up.
        let failed = replace_with(&path, |file| {
            file.write_all(b"a part")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(path.exists(), is_there);
        assert_eq!(names(), usize::from(is_there), "nothing else is left");
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert!(replace(&folder.path().join("none/out"), b"x").is_err());
    assert!(replace(folder.path(), b"x").is_err());
}

#[cfg(unix)]
#[test]
fn what_a_killed_process_has_left_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [out, left, other] =
        ["out", ".trebuchet-abc123.new", ".trebuchet-abc123"].map(|name| folder.path().join(name));
    fs::write(&left, "a part").unwrap();
    fs::write(&other, "notes").unwrap();
    let under_way = draft(&out).unwrap();
    check_output(&out, [""; 0]).unwrap();
    assert!(!left.exists() && other.exists() && under_way.path().exists());
    replace_with(&out, |file| {
        check_output(&out, [""; 0])?;
        file.write_all(b"x")
    })
    .unwrap();
    assert_eq!(fs::read(&out).unwrap(), b"x");
}

#[test]
fn a_file_is_made_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let names = || fs::read_dir(folder.path()).unwrap().count();
    let make = |end: io::Result<()>| {
        make_with(&path, |draft| {
            fs::write(draft, "a part")?;
            end
        })
    };
    assert!(is_full(&make(Err(io::ErrorKind::StorageFull.into())).unwrap_err()));
    assert_eq!(names(), 0);
    make(Ok(())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a part");
    assert_eq!(make(Ok(())).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(names(), 1, "nothing else is left");
    assert!(is_full(&Refusal::Folder(io::ErrorKind::StorageFull).into()));
    assert!(!is_full(&Refusal::Device.into()) && !is_full(&io::ErrorKind::NotFound.into()));
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    fs::write(&file, "old").unwrap();
    let usual = mode(&file);
    symlink(&file, &link).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    replace(&link, b"new").unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"new".to_vec(), 0o640));
    let other = folder.path().join("other");
    replace(&other, b"x").unwrap();
    assert_eq!(mode(&other), usual);
}

#[test]
fn a_source_is_found_under_all_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a"), "x").unwrap();
    let is_refused = |name: &str| check_output(&path(name), [path("a")]).is_err();
    assert!(is_refused("a") && is_refused("./a") && !is_refused("b"));
    assert!(is_refused("none/b") && is_refused("."));
    let again = path("./a");
    assert_eq!(repeated(&[path("b"), path("a"), again.clone()]), Some(again.as_path()));
    assert_eq!(repeated(&[path("b"), path("a"), path("c")]), None);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path("a"), path("link")).unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        assert!(is_refused("link") && is_refused("hard"));
        for name in ["link", "hard"] {
            assert!(repeated(&[path("a"), path("b"), path(name)]).is_some(), "{name}");
        }
        // A device is not replaced.
        let null = Path::new("/dev/null");
        assert!(check_output(null, [null]).is_ok());
    }
    assert_eq!(fs::read(path("a")).unwrap(), b"x");
}

#[test]
fn a_file_is_not_called_as_standard_output_is() {
    let told = check_output(Path::new("-"), [""; 0]).unwrap_err().to_string();
    assert_eq!(told, "this is not written to standard output; name a file, or `./-`");
}

/// A file that may be written can lie where no new file can be made.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_told() {
    use std::os::unix::fs::PermissionsExt;

    let told = |path: &Path| check_output(path, [""; 0]).unwrap_err().to_string();
    let of_old = "a new file takes its place, and none can be made in its folder: ";
    // The name of this process: even root can make no file beside it.
    let comm = Path::new("/proc/self/comm");
    assert!(told(comm).starts_with(of_old), "{}", told(comm));
    assert!(replace(comm, b"x").unwrap_err().to_string().starts_with(of_old));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old"), "x").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // Nothing is forbidden to root.
    if File::create(path("root")).is_err() {
        assert_eq!(told(&path("old")), format!("{of_old}permission denied"));
        let of_new = "no file can be made in its folder: permission denied";
        assert_eq!(told(&path("new")), of_new);
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn only_json_is_replaced_by_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for (text, is_replaced) in [("", true), ("{\"a\": 1}", true), ("notes", false)] {
        fs::write(&path, text).unwrap();
        assert_eq!(check_json_output(&path, [""; 0]).is_ok(), is_replaced, "{text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let command = ["sh", "a", "b"].map(str::to_owned);
    assert_eq!(named_in(&command, Some(folder.path())), [path]);
}

#[test]
fn no_more_than_the_limit_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, vec![b'x'; 2048]).unwrap();
    assert_eq!(read(&path, 2048).unwrap().len(), 2048);
    assert_eq!(read(&path, 2047).unwrap_err().to_string(), "more than 1 KiB, too large");
    assert!(read_all(io::repeat(b'x'), 2048).is_err());
    #[cfg(unix)]
    for device in ["/dev/zero", "/dev/urandom"] {
        let error = read(Path::new(device), MAX_GAMES).unwrap_err();
        assert_eq!(error.to_string(), "a device, and neither a file nor a pipe");
    }
}

#[test]
fn a_text_in_another_encoding_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    // Latin-1, and UTF-16 with its mark.
    for (bytes, line) in [(&b"[a]\n# Pr\xfcfung\n"[..], 2), (b"\xff\xfe#\0", 1)] {
        fs::write(&path, bytes).unwrap();
        let error = read_text(&path, MAX_SETTINGS).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(error.to_string(), format!("not UTF-8 (line {line}): save it as UTF-8"));
    }
}

#[test]
fn a_hash_is_that_of_all_bytes() {
    let hashes = [&b"a"[..], b"b", &[0; 1 << 17]].map(|bytes| hash_of(bytes).unwrap());
    assert!(hashes[0] != hashes[1]);
    assert_eq!(hashes[2], fnv_1a(FNV_START, [0; 1 << 17]));
}

/// A pipe is read to its end.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_read() {
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(b"text").unwrap();
    drop(writer);
    let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
    let path = format!("/proc/self/fd/{number}");
    assert_eq!(read_text(Path::new(&path), MAX_SETTINGS).unwrap(), "text");
}

#[cfg(unix)]
#[test]
fn a_lock_of_somebody_else_is_no_error_of_the_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let open = || File::create(folder.path().join("a")).unwrap();
    let (first, second) = (open(), open());
    try_lock(&first).unwrap();
    assert!(matches!(try_lock(&second), Err(TryLockError::WouldBlock)));
    drop(first);
    try_lock(&second).unwrap();
}
