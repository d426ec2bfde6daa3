#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/install/packages.sh install|look build|checks|all: what packages.txt lists for `make build`, for that and the checks, or all of it.
# install: Debian's packages that are missing are installed. look: nothing is; what is missing is said, with the package that has it, and
# is an error.
# tb/install/packages.sh lacks PACKAGE...: prints those that have what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
verb=${1:-} part=${2:-}
case $verb:$part in
install:build | install:checks | install:all | look:build | look:checks | look:all) ;;
lacks:?*) part=all ;;
*) echo "usage: tb/install/packages.sh install|look build|checks|all, or lacks PACKAGE..." >&2; exit 2 ;;
esac

# Package and what is looked for, a line each.
listed() {
    awk -v parts="$(case $part in build) echo 1 ;; checks) echo 2 ;; all) echo 3 ;; esac)" '
        /^# ---/ { lines++ }
        /^[^#]/ && lines < parts { print $1, $2 }' packages.txt
}

# there PROBE
there() {
    case $1 in
    -) ;;
    -l*) gcc -x c - "$1" -o /dev/null <<<'int main(void) { return 0; }' ;;
    '<'*) g++ -x c++ -E - -o /dev/null <<<"#include $1" ;;
    /*) [ -e "$1" ] ;;
    *) local command; for command in ${1//|/ }; do ! command -v "$command" || return 0; done; return 1 ;;
    esac >/dev/null 2>&1
}

look() {
    local missing=0 package probe
    while read -r package probe; do
        there "$probe" && continue
        ((missing++)) || echo "Missing, and NOSETUP=1 installs nothing; INSTALL.md has the names of packages elsewhere:" >&2
        printf '  %-28s which is in the package %s of Debian\n' "$probe" "$package" >&2
    done < <(listed)
    return $((missing > 0))
}

lacks() {
    local package probe
    for package; do
        probe=$(listed | awk -v package="$package" '$1 == package { print $2 }')
        [ "$probe" ] || { echo "packages.txt: there is no $package" >&2; return 2; }
        there "$probe" || echo "$package"
    done
}

# show_progress LOG: apt's lines of status (which stand between its others: sudo closes all other streams), as percent of what is fetched and
# installed. The others go to LOG.
show_progress() {
    awk -F: -v log_file="$1" 'BEGIN { printf "" >log_file }
        !/^(dl|pm)(status|error|conffile):/ { print >log_file; next }
        /status:/ {
            step = int($3 / 20)
            if (step != last[$1]) {
                printf "  %-8s %d %%\n", $1 == "dlstatus" ? "FETCH" : "INSTALL", step * 20
                fflush()
            }
            last[$1] = step
        }
        /error:/ { print >log_file }'
}

install() {
    local missing=() package probe sudo=
    while read -r package probe; do
        [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)" = 'install ok installed' ] || missing+=("$package")
    done < <(listed)
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || {
        echo "There is no apt-get to install packages with. With NOSETUP=1 make takes what is there: INSTALL.md." >&2
        return 1
    }
    echo "Installing Debian packages that are missing: ${missing[*]}"
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    mkdir -p build
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o APT::Status-Fd=1 --no-install-recommends "${missing[@]}" \
        2>&1 | show_progress build/apt.log || {
        tail -20 build/apt.log
        echo "apt-get failed; its output is in build/apt.log"
        return 1
    }
}

$verb "${@:2}"
