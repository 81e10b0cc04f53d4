#!/bin/sh
# Runs the tests of pteron on this machine's GPU. Needs nothing but the driver; `cargo xtask gpu` packs it.
#
#   run.sh [PART_OF_A_TEST'S_NAME]
#
# $OUT is the folder for the logs and the list of launched kernel variants, `results` beside this script unless said.
# Ends with 0 when every test passed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
mkdir -p "$out" || exit 1

# Drivers come with a description of themselves and with a loader, but not on every machine that only computes.
described() {
    for folder in /etc/vulkan/icd.d /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d; do
        for file in "$folder"/*.json; do [ -f "$file" ] && return 0; done
    done
    [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]
}
if ! described && [ -f "$here/vulkan/nvidia_icd.json" ]; then
    export VK_DRIVER_FILES="$here/vulkan/nvidia_icd.json" VK_ICD_FILENAMES="$here/vulkan/nvidia_icd.json"
fi
if ! /sbin/ldconfig -p 2> /dev/null | grep -q libvulkan.so.1 && [ -f "$here/vulkan/libvulkan.so.1" ]; then
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/nvidia/lib64:$here/vulkan"
fi

export PTERON_FIXTURES="$here/fixtures" PTERON_SHARED="$here/shared" PTERON="$here/bin/pteron"
export PTERON_LAUNCHES="$out/launches.txt" XDG_CACHE_HOME="$out/cache" INSTA_WORKSPACE_ROOT="$here" RUST_BACKTRACE=1
# More cases than usual: this machine has the cores for them.
export PROPTEST_CASES="${PROPTEST_CASES:-128}"
: > "$PTERON_LAUNCHES"

[ -x "$PTERON" ] && "$PTERON" doctor | tee "$out/doctor.txt"
failed=0
# What other devices lack.
lacking='matrix subgroups,matrix'
# Runs every case on the adapter without some of its features.
verify_without() {
    lacks=$1
    set -- "$here/fixtures"
    for folder in conformance networks xnnpack/cases; do [ -d "$here/shared/$folder" ] && set -- "$@" "$here/shared/$folder"; done
    "$PTERON" verify "$@" --device gpu --without "$lacks"
}
# Runs a test program under a name, or a command, and prints a line for it and its output where it failed.
check() {
    log=$out/$1.txt
    what=$1
    shift
    start=$(date +%s)
    if "$@" > "$log" 2>&1; then verdict=ok; else verdict=FAILED; failed=$((failed + 1)); fi
    counts=$(sed -n 's/^test result: [a-zA-Z]*\. \(.*\); finished.*/\1/p' "$log")
    echo "$verdict  $what: ${counts:-$(tail -n 1 "$log")} in $(($(date +%s) - start)) s"
    grep -E '^matrix units|conformance cases|not run' "$log" | sed 's/^/      /'
    [ $verdict = ok ] || grep -vE '^test .* ok$|^ok$' "$log" | tail -n 40 | sed 's/^/      /'
}
for test in "$here"/tests/*; do
    name=$(basename "$test")
    case $name in *"${1:-}"*) ;; *) continue ;; esac
    case $name in cli-*) [ -x "$PTERON" ] || continue ;; esac
    check "$name" "$test"
    if [ "$name" = runtime-properties ]; then
        for without in $lacking; do
            export PTERON_WITHOUT="$without"
            check "$name-without-$without" "$test"
        done
        unset PTERON_WITHOUT
    fi
done
# Programs as devices run them that lack something. Their 16-bit floats are widened where there are none, those of properties not.
if [ -x "$PTERON" ] && [ -z "${1:-}" ]; then
    for without in $lacking f16,subgroups,matrix; do check "verify-without-$without" verify_without "$without"; done
fi
if [ -x "$here/bin/variants" ]; then
    "$here/bin/variants" "$PTERON_LAUNCHES" > "$out/variants.txt" && sed -n '/^variants of each/,$p' "$out/variants.txt"
    grep -F ', on matrix units' "$out/variants.txt"
fi
rm -rf "$out/cache"
[ $failed = 0 ] || echo "$failed test programs failed; their output is in $out"
exit $((failed > 0))
