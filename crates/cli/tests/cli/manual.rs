//! `pteron completions` and `pteron man`.

use std::process::{Command, Stdio};

use crate::{refuse, succeed};

const COMMANDS: [&str; 13] = [
    "inspect",
    "web",
    "run",
    "verify",
    "bench",
    "profile",
    "generate",
    "chat",
    "check",
    "doctor",
    "demo",
    "completions",
    "man",
];

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = succeed(&["completions", shell]);
        for name in COMMANDS {
            assert!(script.contains(name), "{shell} lacks {name}");
        }
        assert!(script.contains("fill-missing"), "{shell} lacks options");
        assert_eq!(script, succeed(&["completions", shell, "--json"]));
    }
    assert!(refuse(&["completions", "tcsh"]).contains("bash"));
}

/// Bash, which every machine of the tests has, completes by the script.
#[test]
#[cfg(unix)]
fn bash_completes() {
    let script = succeed(&["completions", "bash"])
        + "COMP_WORDS=(pteron inspect model.pte --gr); COMP_CWORD=3; _pteron pteron --gr model.pte; echo \"${COMPREPLY[@]}\"\n\
           COMP_WORDS=(pteron ins); COMP_CWORD=1; _pteron pteron ins pteron; echo \"${COMPREPLY[@]}\"\n";
    let bash = Command::new("bash").args(["--norc", "-c", &script]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&bash.stdout), "--graph\ninspect\n", "{bash:?}");
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("man1");
    assert_eq!(succeed(&["man", "--output", crate::text(&path)]), "");
    let mut names: Vec<_> =
        path.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut expected: Vec<_> = COMMANDS.iter().map(|name| format!("pteron-{name}.1")).collect();
    expected.push("pteron.1".to_owned());
    expected.sort();
    assert_eq!(names, expected);
    for name in COMMANDS {
        let page = succeed(&["man", name]);
        assert_eq!(page, std::fs::read_to_string(path.join(format!("pteron-{name}.1"))).unwrap());
        assert!(page.contains(&format!(".TH pteron-{name} 1")), "{page}");
        assert!(page.contains("EXAMPLES") && page.contains("\\-\\-json"), "{page}");
    }
    let whole = succeed(&["man"]);
    assert!(whole.contains(".TH pteron 1") && whole.contains("pteron\\-inspect(1)"), "{whole}");
    assert!(refuse(&["man", "fly"]).contains("there is no page pteron-fly"));
}
