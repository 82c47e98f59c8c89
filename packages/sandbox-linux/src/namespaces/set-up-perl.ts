// The set-up's instructions as further steps of the launcher: where there is Perl they are calls of the kernel's, and no program is
// started for each. They do the same as those of the script.

/** For `launcherSource`. */
export const setUpSteps = String.raw`
my %flags = (
  ro => 1, nosuid => 2, nodev => 4, noexec => 8, nosymfollow => 256,
  noatime => 1024, nodiratime => 2048, relatime => 1 << 21,
);
my ($remount, $bind, $move, $recursive) = (32, 4096, 8192, 16384);

sub mount_at { my ($from, $to, $type, $flags, $data) = @_; return call("mount", $from, $to, $type, $flags, $data) }

# The mounts in order: place, options.
sub mounts {
  my @mounts;
  open(my $table, "<", "/proc/self/mountinfo") or fail("read its mounts");
  while (<$table>) {
    /^\S+ \S+ \S+ \S+ (\S+) (\S+)/ or fail("read its mounts");
    my ($at, $options) = ($1, $2);
    $at =~ s/\\(\d{3})/chr(oct($1))/ge;
    push(@mounts, [$at, $options]);
  }
  return @mounts;
}

# Asked for again, or a mount of somebody else's would lose what it has.
sub seal {
  my ($at, $options, $none) = (@_, "none");
  my $flags = $remount | $bind | $flags{ro} | $flags{nodev};
  $flags |= $flags{$_} || 0 for grep { $_ ne "rw" } split(/,/, $options);
  return mount_at($none, $at, $none, $flags, 0) == 0;
}

sub is_within { my ($folder, $path) = @_; return $path eq $folder || index($path, "$folder/") == 0 }

# Makes every mount read-only but the bench, and reads anew what holds. One that another lies over cannot be reached, and fails;
# it must lie under a later one at its place or above, where no name leads to it.
sub lock_all {
  my $bench = shift;
  seal(@$_) for grep { !is_within($bench, $_->[0]) } mounts();
  my @open;
  for (grep { !is_within($bench, $_->[0]) } mounts()) {
    my ($at, $options) = @$_;
    @open = grep { !is_within($at, $_) } @open;
    push(@open, $at) unless $options =~ /^ro(,|$)/;
  }
  fail("make $open[0] read-only") if @open;
}

%steps = (
  %steps,
  lock => sub { lock_all(text()) },
  folder => sub {
    my ($path, $at) = (text(), "");
    for (grep { $_ ne "" } split(/\//, $path)) { $at .= "/$_"; -d $at or mkdir($at, 0755) or fail("make $path") }
  },
  file => sub { my $path = text(); open(my $made, ">", $path) or fail("make $path") },
  copy => sub {
    my ($link, $folder) = (text(), text());
    my $target = readlink($link);
    $target =~ /\A(.*)\z/s;
    symlink($1, $folder . substr($link, rindex($link, "/"))) or fail("copy $link");
  },
  link => sub { my ($target, $path) = (text(), text()); symlink($target, $path) or fail("make $path") },
  mount => sub {
    my ($type, $options, $at) = (text(), text(), text());
    my ($flags, @rest) = (0);
    for (split(/,/, $options)) { exists($flags{$_}) ? ($flags |= $flags{$_}) : push(@rest, $_) }
    my $data = join(",", @rest);
    mount_at($type, $at, $type, $flags, $data) == 0 or fail("mount $type at $at");
  },
  bind => sub {
    my ($from, $to, $none) = (text(), text(), "none");
    mount_at($from, $to, $none, $bind | $recursive, 0) == 0 or fail("bind $from to $to");
  },
  move => sub {
    my ($from, $to, $none) = (text(), text(), "none");
    mount_at($from, $to, $none, $move, 0) == 0 or fail("put $to in place");
  },
  seal => sub {
    my $path = text();
    my ($last) = grep { $_->[0] eq $path } reverse(mounts());
    $last && seal(@$last) or fail("make $path read-only");
  },
);
`;
