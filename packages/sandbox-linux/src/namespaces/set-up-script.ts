// What the first process of a command's namespaces runs: it turns the machine's mounts into the command's, by instructions that
// come as arguments, then starts the command and waits for it. Nothing is put into its text. Whatever fails ends it before the
// command runs, and is told on descriptor 3, which the command does not get.

/**
 * For a POSIX shell. Arguments: where its programs are (`mount`, `mkdir`, `cp`, `ln`, what brings the loopback up),
 * instructions, `--`, and what to start.
 */
export const setUpScript = String.raw`
set -eu
read -r pid rest < /proc/self/stat
printf 'init %s\n' "$pid" >&3
ulimit -c 0
# Later no device can be opened but those that the command gets.
exec 5>/dev/null
mount=$1 mkdir=$2 cp=$3 ln=$4 ip=$5
shift 5

fail() {
  printf 'failed %s\n' "$1" >&3
  printf 'The sandbox could not %s.\n' "$1" >&2
  exit 125
}

# Names in mountinfo have their spaces and the like as three octal digits.
decode() {
  decoded= left=$1
  while :; do
    case $left in
      *\\*) decoded=$decoded\${left%%\\*}\\0 left=\${left#*\\} ;;
      *) decoded=$decoded$left; break ;;
    esac
  done
  case $decoded in
    *\\*) decoded=$(printf '%b.' "$decoded"); decoded=\${decoded%.} ;;
  esac
}

# Asked for again, or a mount of somebody else's would lose what it has.
kept() {
  flags=remount,bind,ro,nodev
  for flag in nosuid noexec noatime nodiratime relatime nosymfollow; do
    case ,$1, in *,"$flag",*) flags=$flags,$flag ;; esac
  done
}

# Makes every mount read-only but the bench. One that another lies over cannot be reached, and fails: see "check".
lock() {
  set --
  while read -r id parent device root point options rest; do
    case $point in "$bench"|"$bench"/*) ;; *) set -- "$@" "$point" "$options" ;; esac
  done < /proc/self/mountinfo
  while [ $# -gt 0 ]; do
    decode "$1"
    kept "$2"
    "$mount" -n -o "$flags" none "$decoded" 2>&5 || :
    shift 2
  done
}

# Reads anew what holds. A mount that may be written must lie under a later one at its place or above, where no name leads to it.
check() {
  set --
  while read -r id parent device root point options rest; do
    case $point in "$bench"|"$bench"/*) continue ;; esac
    todo=$#
    while [ "$todo" -gt 0 ]; do
      case $1 in "$point"|"$point"/*) ;; *) set -- "$@" "$1" ;; esac
      shift
      todo=$((todo - 1))
    done
    case $options in ro|ro,*) ;; *) set -- "$@" "$point" ;; esac
  done < /proc/self/mountinfo
  [ $# -eq 0 ] || fail "make $1 read-only"
}

# One mount, the last at its place.
seal() {
  last=
  while read -r id parent device root point options rest; do
    decode "$point"
    [ "$decoded" != "$1" ] || last=$options
  done < /proc/self/mountinfo
  kept "$last"
  "$mount" -n -o "$flags" none "$1" || fail "make $1 read-only"
}

while :; do
  word=$1
  shift
  case $word in
    --) break ;;
    lock) bench=$1; shift; lock; check ;;
    folder) "$mkdir" -p -- "$1" || fail "make $1"; shift ;;
    file) : > "$1" || fail "make $1"; shift ;;
    copy) "$cp" -P -- "$1" "$2" || fail "copy $1"; shift 2 ;;
    link) "$ln" -s -- "$1" "$2" || fail "make $2"; shift 2 ;;
    mount) "$mount" -n -i -t "$1" -o "$2" "$1" "$3" || fail "mount $1 at $3"; shift 3 ;;
    bind) "$mount" -n --rbind "$1" "$2" || fail "bind $1 to $2"; shift 2 ;;
    move) "$mount" -n --move "$1" "$2" || fail "put $2 in place"; shift 2 ;;
    seal) seal "$1"; shift ;;
    loopback) "$ip" link set lo up || fail "bring the loopback device up" ;;
    *) fail "follow $word" ;;
  esac
done

# What this shell has to say of the command's end is nobody's business.
exec 4>&2 2>&5
"$@" 2>&4 4>&- 5>&- || exit $?
`.replaceAll("\\${", "${"); // TypeScript's own sign, written with a backslash above.
