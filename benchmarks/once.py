"""Run one command and print what it took: seconds, exit code, peak bytes of its largest process.

usage: python -I -S benchmarks/once.py OUTPUT COMMAND...

It is a small process of its own because the peak of a process begins with what the one that started it
holds: a benchmark with all its modules would hide how little a small command needs. So it imports next
to nothing; what is below its own few megabytes it cannot see.
"""

import os
import sys
import time


def main(output: str, *words: str) -> None:
    """Run the command with no input; what it prints to either stream goes to the file ``output``."""
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    begin = time.perf_counter()
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=streams)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(seconds, os.waitstatus_to_exitcode(status), peak)


if __name__ == "__main__":
    main(*sys.argv[1:])
