//! Why no hardware GPU was found.

use pteron_runtime::AdapterReport;

/// What is missing on this machine, as far as files and variables tell, and what to do.
pub(crate) fn reasons(adapters: &[AdapterReport], unfit: &[AdapterReport]) -> Vec<String> {
    let mut reasons = Vec::new();
    for adapter in unfit {
        reasons.push(format!(
            "{} ({}) lacks something that WebGPU needs: update its driver",
            adapter.name, adapter.backend
        ));
    }
    if let Some(software) = adapters.first() {
        reasons.push(format!("{} computes in software: right for tests, useless for timing", software.name));
    }
    reasons.extend(platform::reasons());
    reasons
}

#[cfg(target_os = "linux")]
mod platform {
    use std::path::{Path, PathBuf};

    /// Folders in which the loader of shared libraries looks, beside `LD_LIBRARY_PATH`.
    const LIBRARIES: &[&str] = &[
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
    ];
    /// Folders in which Vulkan's loader looks for drivers.
    const DRIVERS: &[&str] = &["/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"];

    pub(super) fn reasons() -> Vec<String> {
        let mut reasons = Vec::new();
        let own = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let folders = std::env::split_paths(&own).chain(LIBRARIES.iter().map(PathBuf::from));
        if !folders.into_iter().any(|folder| folder.join("libvulkan.so.1").exists()) {
            reasons.push("libvulkan.so.1, Vulkan's loader, was not found: install it (Debian: libvulkan1)".to_owned());
        }
        let files = driver_files(&mut reasons);
        if files.is_empty() {
            reasons.push(
                "no Vulkan driver is registered: install your GPU's (Debian: mesa-vulkan-drivers for AMD and Intel)"
                    .to_owned(),
            );
        }
        for file in files {
            let glx = std::fs::read_to_string(&file).is_ok_and(|text| text.contains("libGLX_nvidia"));
            if glx && std::env::var_os("DISPLAY").is_none() {
                reasons.push(format!(
                    "{} names NVIDIA's GLX library, which fails without a display: name libEGL_nvidia.so.0 in a copy, and \
                     set VK_DRIVER_FILES to it",
                    file.display()
                ));
            }
        }
        if !Path::new("/dev/dri").exists() && !Path::new("/dev/nvidiactl").exists() {
            reasons
                .push("neither /dev/dri nor /dev/nvidiactl exists: this machine or container sees no GPU".to_owned());
        }
        reasons
    }

    /// The files that register Vulkan drivers.
    fn driver_files(reasons: &mut Vec<String>) -> Vec<PathBuf> {
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
            let Some(value) = std::env::var_os(variable) else { continue };
            let (there, absent): (Vec<_>, Vec<_>) = std::env::split_paths(&value).partition(|path| path.exists());
            for path in absent {
                reasons.push(format!("{variable} names {}, which does not exist", path.display()));
            }
            return there;
        }
        let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share/vulkan/icd.d"));
        let folders = DRIVERS.iter().map(PathBuf::from).chain(home);
        let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    pub(super) fn reasons() -> Vec<String> {
        let api = if cfg!(windows) { "DirectX 12 or Vulkan" } else { "Metal" };
        vec![format!("{api} reports no hardware adapter: update the system and the GPU's driver")]
    }
}
