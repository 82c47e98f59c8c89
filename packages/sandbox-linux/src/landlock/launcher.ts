// The last process before the command: it takes away its own rights, by instructions that come as arguments, and turns into the
// command. Perl is what nearly every machine has that can make any call of the kernel's; nothing is put into its text. What
// fails ends it before the command runs, and is told on descriptor 3, which the command does not get.

/**
 * With `more` steps than its own. For `perl -T`: under it variables that would make perl load something count for nothing.
 * Arguments: see `launcherWords`.
 */
export function launcherSource(more = ""): string {
  return `${steps}${more}${start}`;
}

const steps = String.raw`
use strict;
my %number;
delete $ENV{PERL_BADLANG};

open(my $status, ">&=", 3) or exit 125;

sub tell_status { syswrite($status, $_[0]) }
sub fail {
  my $why = "$!";
  tell_status("failed $_[0]: $why\n");
  print STDERR "The sandbox could not $_[0]: $why.\n";
  exit 125;
}
sub text { @ARGV or fail("read its instructions"); shift(@ARGV) =~ /\A(.*)\z/s; return $1 }
sub count { return text() + 0 }
sub call { my $name = shift; return syscall($number{$name}, @_) }
sub must { my $what = shift; my $got = call(@_); $got == -1 and fail($what); return $got }

my $rules;
my %steps = (
  calls => sub { for (split(/,/, text())) { my ($name, $is) = split(/=/); $number{$name} = $is + 0 } },
  unset => sub { delete $ENV{text()} },
  enter => sub { my $folder = text(); chdir($folder) or fail("enter $folder") },
  close => sub {
    # Closed for the command only: descriptor 3 is still to be told something.
    opendir(my $open, "/proc/self/fd") or fail("list its descriptors");
    for (grep { /^\d+$/ && $_ > 2 } readdir($open)) { /(\d+)/; call("fcntl", $1 + 0, 2, 1) }
  },
  core => sub { my $none = pack("Q2", 0, 0); must("turn core dumps off", "setrlimit", 4, $none) },
  loopback => sub {
    my $up = pack("a16 s x22", "lo", 0x41);
    my $any;
    socket($any, 2, 2, 0) && ioctl($any, 0x8914, $up) or fail("bring the loopback device up");
  },
  rules => sub {
    my ($bytes, $files, $ports, $scopes) = (count(), count(), count(), count());
    my $attributes = substr(pack("Q3", $files, $ports, $scopes), 0, $bytes);
    $rules = must("make a set of rules", "landlock_create_ruleset", $attributes, $bytes, 0);
  },
  grant => sub {
    my ($rights, $path) = (count(), text());
    my $at = call("openat", -100, $path, 010000000 | 02000000 | $number{nofollow}, 0);
    # Gone since it was listed: there is nothing to be granted.
    if ($at == -1) { $! == 2 and return; fail("open $path") }
    my $rule = pack("Q l", $rights, $at);
    must("grant $path", "landlock_add_rule", $rules, 1, $rule, 0);
    call("fcntl", $at, 2, 1);
  },
  stream => sub {
    my ($rights, $at) = (count(), count());
    my $rule = pack("Q l", $rights, $at);
    # Of a pipe without a name, or a socket, the kernel keeps no rules and needs none.
    call("landlock_add_rule", $rules, 1, $rule, 0);
  },
  drop => sub {
    # Without the right to shrink the bounding set nothing in it can be had either: see "nnp".
    for my $capability (0 .. 63) { last if call("prctl", 24, $capability, 0, 0, 0) == -1 }
    call("prctl", 47, 4, 0, 0, 0);
    my ($who, $none) = (pack("L l", 0x20080522, 0), pack("L6", (0) x 6));
    must("drop its capabilities", "capset", $who, $none);
  },
  nnp => sub { must("give up new privileges", "prctl", 38, 1, 0, 0, 0) },
  restrict => sub { must("restrict itself", "landlock_restrict_self", $rules, 0) },
  filter => sub {
    my $filter = pack("H*", text());
    my $program = pack("S x6 P", length($filter) / 8, $filter);
    must("filter its calls", "prctl", 22, 2, $program, 0, 0);
  },
);
`;

const start = String.raw`
while ((my $word = text()) ne "--") { ($steps{$word} or fail("follow $word"))->() }

my $file = text();
my @words = map { text() } 1 .. @ARGV;
my @pairs = map { "$_=$ENV{$_}" =~ /\A(.*)\z/s; $1 } keys(%ENV);
my $pairs = pack("p*", @pairs) . pack("Q", 0);
sub start { my $words = pack("p*", @_) . pack("Q", 0); return call("execve", $file, $words, $pairs) }
tell_status("ran\n");
start(@words);
if ($! == 8) {
  # A script that does not say what runs it.
  my @script = ("sh", $file, @words[1 .. $#words]);
  $file = "/bin/sh";
  start(@script);
}
fail("start the command");
`;
