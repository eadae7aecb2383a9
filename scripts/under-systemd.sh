#!/bin/sh
# Starts the shipped units in a real systemd, by hand, as root on Linux: `sh scripts/under-systemd.sh`, after a build.
#
# systemd is the first process of namespaces of its own, on a root of its own in memory, where /usr and this tree are
# there to be read and nothing else of the machine is there at all. Two workers and the service send to a catcher while
# they are restarted, hung up on and frozen; every mail must be caught once.
set -eu

tree=$(cd "$(dirname "$0")/.." && pwd)
mails=200

outside() {
  [ "$(id -u)" = 0 ] || { echo 'only root can do that' >&2; exit 2; }
  [ -f "$tree/dist/cli/main.js" ] || { echo 'build it first: npm run build' >&2; exit 2; }
  room=$(mktemp -d)
  group=/sys/fs/cgroup
  [ -d "$group/unified" ] && group=$group/unified
  group=$group/$(basename "$room")
  mkdir "$group"
  trap 'leave' EXIT
  trap 'exit 1' INT TERM
  sh -c 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"' sh "$group" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    unshare --mount --propagation private --pid --fork --kill-child --uts --ipc --net --cgroup \
    sh "$0" inside "$room" < /dev/null &
  namespaces=$!
  until [ -e "$room/ready" ]; do kill -0 "$namespaces"; sleep 0.2; done
  first=$(cat "/proc/$namespaces/task/$namespaces/children")
  nsenter -t "${first% }" -m -p -u -i -n -C -r -w \
    env -i PATH=/usr/sbin:/usr/bin sh /opt/pillarbox/scripts/under-systemd.sh trial
}

leave() {
  [ -z "${namespaces:-}" ] || kill -9 "$namespaces" 2> /dev/null || true
  wait 2> /dev/null || true
  # The others die with the first process, but not in the same moment.
  for _ in $(seq 50); do
    find "$group" -depth -type d -exec rmdir {} \; 2> /dev/null || true
    [ -d "$group" ] || break
    sleep 0.2
  done
  rm -f "$room/ready" && rmdir "$room/root" "$room"
}

# From here on nothing is shared with the machine: what is mounted is private, and the old root is left behind.
inside() {
  room=$1
  mount --make-rprivate /
  mkdir "$room/root"
  mount -t tmpfs -o mode=755,size=1g none "$room/root"
  cd "$room/root"
  mkdir -p usr etc/systemd/system etc/pillarbox var/lib var/log proc sys dev run home root opt/pillarbox old told upper work
  mkdir -m 1777 tmp var/tmp
  for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
  mount -t overlay -o "lowerdir=/usr,upperdir=$PWD/upper,workdir=$PWD/work" overlay usr
  mount --bind "$tree" opt/pillarbox
  mount -o remount,bind,ro opt/pillarbox
  ln -sf /opt/pillarbox/bin/pillarbox.js usr/bin/pillarbox
  [ -x usr/bin/node ] || cp "$(command -v node)" usr/bin/node
  mount -t proc proc proc
  mount -t sysfs sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -t tmpfs -o mode=755 none run
  mount -t tmpfs -o mode=755 none dev
  mkdir dev/pts dev/shm dev/mqueue
  mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
  ln -s pts/ptmx dev/ptmx
  mknod -m 666 dev/null c 1 3
  mknod -m 666 dev/zero c 1 5
  mknod -m 666 dev/full c 1 7
  mknod -m 666 dev/random c 1 8
  mknod -m 666 dev/urandom c 1 9
  mknod -m 666 dev/tty c 5 0
  furnish
  # Where the other side looks for it, which can't be seen from here any more.
  mount --bind "$room" told
  pivot_root . old
  umount -l /old
  ip link set lo up
  : > /told/ready
  umount -l /told
  export container=other
  exec /lib/systemd/systemd --system --unit=trial.target --log-target=console --show-status=no
}

furnish() {
  printf '%s\n' root:x:0:0::/root:/bin/sh pillarbox:x:59100:59100::/var/lib/pillarbox:/bin/false nobody:x:65534:65534::/:/bin/false > etc/passwd
  printf '%s\n' root:x:0: pillarbox:x:59100: nogroup:x:65534: > etc/group
  printf '%s\n' 'passwd: files' 'group: files' 'hosts: files' > etc/nsswitch.conf
  echo '127.0.0.1 localhost' > etc/hosts
  echo 0123456789abcdef0123456789abcdef > etc/machine-id
  cp "$tree"/deploy/systemd/*.service etc/systemd/system/
  printf '%s\n' DATABASE_URL=sqlite:/var/lib/pillarbox/mail.db PILLARBOX_SECRET=a-secret-for-trials-of-some-length \
    PILLARBOX_API_KEY=a-key-for-trials-of-some-length SMTP_URL=smtp://127.0.0.1:2525 'MAIL_FROM=box@example.org' > etc/pillarbox/pillarbox.env
  chmod 600 etc/pillarbox/pillarbox.env
  printf '%s\n' '[Service]' Environment=DATABASE_URL=sqlite:/var/lib/catcher/mail.db \
    'ExecStart=/usr/bin/pillarbox catcher --port 2525' StateDirectory=catcher > etc/systemd/system/catcher.service
  printf '%s\n' '[Unit]' 'Description=nothing but what is asked for' > etc/systemd/system/trial.target
  # Nothing of a whole machine: no devices, no clean-up of temporary files, no log-ins.
  for unit in usr/lib/systemd/system/*.target.wants/*; do ln -sf /dev/null "etc/systemd/system/${unit##*/}"; done
}

key='Authorization: Bearer a-key-for-trials-of-some-length'
api() { curl -s -H "$key" -H 'Content-Type: application/json' "$@"; }
show() { systemctl show "$1" -p "$2" --value; }

expect() {
  what=$1 found=$2 wanted=$3
  [ "$found" = "$wanted" ] || { echo "FAILED: $what: $found instead of $wanted" >&2; exit 1; }
  echo "$what: $found"
}

# Whether a process may write there: ro or rw.
mounted() { sed -n "s#^[^ ]* [^ ]* [^ ]* [^ ]* $2 \\(..\\),.*#\\1#p" "$1/mountinfo"; }

put() {
  for number in $(seq "$mails"); do
    printf '{"to":"ada@example.org","subject":"%s-%s","text":"x","idempotencyKey":"%s-%s"}\n' "$1" "$number" "$1" "$number"
  done | paste -sd, | sed 's/^/{"messages":[/; s/$/]}/' > /root/mails.json
  api --data @/root/mails.json http://127.0.0.1:8025/api/outbox/bulk | grep -q "\"accepted\":$mails"
}

all_left() { api http://127.0.0.1:8025/api/admin/dashboard | grep -q '"pendingEmailCount":0'; }

until_true() {
  for _ in $(seq 300); do eval "$1" && return; sleep 1; done
  echo "FAILED: $1" >&2
  exit 1
}

trial() {
  workers='pillarbox-worker@1 pillarbox-worker@2'
  until_true 'systemctl is-system-running --quiet 2> /dev/null'
  # Each of them returns when the unit has said that it is ready.
  systemctl start catcher pillarbox
  # shellcheck disable=SC2086 # two names
  systemctl start $workers
  process=/proc/$(show pillarbox MainPID)
  expect 'its root' "$(mounted "$process" /)" ro
  expect 'its state' "$(mounted "$process" /var/lib/pillarbox)" rw
  expect 'its user' "$(stat -c %U "$process")" pillarbox

  put restarted && systemctl restart pillarbox-worker@1
  put hung-up && systemctl kill -s HUP pillarbox-worker@2
  put stopped && systemctl restart pillarbox
  # With nothing in hand: what it had handed over would be in doubt, and rightly sent once more.
  until_true all_left
  kill -STOP "$(show pillarbox-worker@1 MainPID)" && put frozen
  until_true '[ "$(show pillarbox-worker@1 NRestarts)" = 1 ]'
  expect 'a worker that was frozen, restarts' "$(show pillarbox-worker@1 NRestarts)" 1
  until_true all_left

  export DATABASE_URL=sqlite:/var/lib/catcher/mail.db
  expect 'mails caught' "$(pillarbox inbox ls --limit 1 --json | sed -n 's/.*"total": *\([0-9]*\).*/\1/p')" "$((4 * mails))"
  systemctl stop pillarbox pillarbox-worker@1 pillarbox-worker@2
  expect 'stopped in order' "$(show pillarbox Result)" success
}

case ${1:-} in
  inside) inside "$2" ;;
  trial) trial ;;
  *) outside ;;
esac
