# SPDX-License-Identifier: Apache-2.0
"""The curl lines of docs/service.md, one after the other."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from server_case import ServerCase

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs/service.md"


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class Examples(ServerCase):
    def test_the_lines_of_the_documentation_work(self):
        section = DOCUMENT.read_text().partition("## With curl")[2]
        lines = re.search(r"```sh\n(.*?)```", section, re.S)[1].splitlines()
        self.assertGreater(len(lines), 8)
        for line in lines:
            done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env={**os.environ, "SERVER": self.url})
            self.assertEqual(done.returncode, 0, done.stderr)
            if done.stdout:
                self.assertNotIn("error", json.loads(done.stdout), line)
        self.assertEqual(self.ok("GET", "/studies"), {"studies": []})


if __name__ == "__main__":
    unittest.main(argv=["examples_test", *sys.argv[2:]])
