# SPDX-License-Identifier: Apache-2.0
"""What strangers, mistakes and bad luck cannot do."""
import os
import random
import shutil
import socket
import ssl
import subprocess
import time
import sys
import unittest

from server_case import STUDY, ServerCase

TOKEN, READ = "a-token-that-may-write", "a-token-that-may-read"


class Loopback(ServerCase):
    def raw(self, *parts, wait=0.0):
        """The bytes of the answer to bytes that are sent piece by piece."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            for part in parts:
                connection.sendall(part)
                time.sleep(wait)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
            return answer

    def test_other_sites_and_other_names_are_refused(self):
        self.refused(403, "GET", "/studies", Host="evil.example")
        self.refused(403, "GET", "/studies", Origin="http://evil.example")
        self.refused(403, "POST", "/studies", STUDY, Sec_Fetch_Site="cross-site")
        self.ok("GET", "/studies", Host=f"localhost:{self.port}", Origin=f"http://localhost:{self.port}")
        self.refused(415, "POST", "/studies", '{"name":"x"}', Content_Type="text/plain")

    def test_pages_have_a_policy_without_inline_scripts_and_no_path_leads_to_a_file(self):
        connection = self.connect()
        connection.request("GET", "/")
        response = connection.getresponse()
        self.assertIn(b"<html", response.read())
        self.assertIn("script-src 'self'", response.headers["Content-Security-Policy"])
        self.assertNotIn("unsafe", response.headers["Content-Security-Policy"])
        for path in ("/../../etc/passwd.", "/%2e%2e/%2e%2e/etc/passwd.txt", "/js/..%2f..%2fstudies.db", "//etc/hosts.x"):
            connection.request("GET", path)
            response = connection.getresponse()
            self.assertEqual((response.status, b"root:" in response.read()), (404, False), path)
        connection.close()

    def test_what_is_too_large_is_refused_and_what_is_no_http_is_answered_with_400(self):
        self.assertIn(b" 431 ", self.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 20000 + b"\r\n\r\n"))
        self.assertIn(b" 413 ", self.raw(b"POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"))
        self.assertIn(b" 400 ", self.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 HTTP\r\n\r\n"))
        self.assertIn(b" 400 ", self.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"))
        both = b"POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        self.assertIn(b" 400 ", self.raw(both))
        self.assertIn(b" 200 ", self.raw(b"GET /api/v1/ HT", b"TP/1.1\r\nHost: loc", b"alhost\r\n\r\n", wait=0.05))
        self.ok("GET", "/studies")

    def test_clients_that_send_nothing_harm_nobody(self):
        idle = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(400)]
        for number, connection in enumerate(idle):
            connection.sendall(b"POST /api/v1/studies HTTP/1.1\r\n"[: number % 30])
        self.ok("GET", "/studies")
        for _ in range(200):  # one address has at most half of all connections
            idle.append(socket.create_connection(("127.0.0.1", self.port)))
        idle[-1].settimeout(30)
        self.assertIn(b" 503 ", idle[-1].recv(1000))
        for connection in idle:
            connection.close()
        for _ in range(100):  # the server notices a moment later
            try:
                self.ok("GET", "/studies")
                break
            except (AssertionError, OSError):
                time.sleep(0.05)
        self.ok("GET", "/studies")

    def test_requests_made_up_by_a_machine(self):
        """SUMMAND_FUZZ_COUNT=100000 for more. Fewer than 500 are server errors by name; every connection is answered or closed."""
        self.make()
        self.ok("POST", "/studies/demo/ask", {"count": 2})
        chance = random.Random(int(os.environ.get("SUMMAND_FUZZ_SEED", 7)))
        methods = ["GET", "POST", "PATCH", "DELETE", "HEAD", "PUT", "OPTIONS", "G\x00T", ""]
        paths = ["/", "/studies", "/studies/demo", "/studies/demo/ask", "/studies/demo/trials", "/studies/demo/trials/1/tell",
                 "/studies/demo/enqueue", "/studies/demo/history", "/studies/demo/renew", "/studies/nobody", "/studies/%ff", "/studies/demo/trials/1e3"]
        bodies = ['{"value":1}', '{"count":2}', '{"points":[{"x":0.1,"n":2,"solver":"adam"}]}', '{"worker":"w","lease_seconds":1}', "[]", "null",
                  '{"value":1e999}', '{"count":1e308}', '{"also":{"a":' + "[" * 200, '{"failed":"\\ud800"}', "\xff\xfe", '{"limit":-0}']
        for _ in range(int(os.environ.get("SUMMAND_FUZZ_COUNT", 400))):
            body = chance.choice(bodies).encode("latin-1")
            if chance.random() < 0.5:
                cut = chance.randrange(len(body) + 1)
                body = body[:cut] + bytes([chance.randrange(256)]) + body[cut + chance.randrange(2):]
            query = chance.choice(["", "?limit=1", "?where=x%3C1", "?" + chance.choice("&=%+?#") * 3, "?sort=" + chr(chance.randrange(33, 126))])
            length = chance.choice([len(body)] * 8 + [len(body) + 1, -1, 10**20])
            head = (f"{chance.choice(methods)} /api/v1{chance.choice(paths)}{query} HTTP/1.{chance.randrange(3)}\r\nHost: localhost\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {length}\r\nIdempotency-Key: k{chance.randrange(5)}\r\n\r\n").encode()
            if chance.random() < 0.2:
                head = bytes(b if chance.random() < 0.98 else chance.randrange(256) for b in head)
            try:
                answer = self.raw(head + body)
            except ConnectionResetError:
                continue
            self.assertNotIn(b" 500 ", answer[:20], (head, body, answer))
        self.assertIsNone(self.server.poll())
        self.ok("GET", "/studies")


class WithTokens(ServerCase):
    environment = {"SUMMAND_TOKEN": TOKEN, "SUMMAND_READ_TOKEN": READ}

    def test_a_token_is_demanded_and_a_read_token_reads(self):
        self.assertIn("token is needed", self.refused(401, "GET", "/studies"))
        self.assertEqual(self.headers["WWW-Authenticate"], "Bearer")
        self.assertIn("wrong", self.refused(401, "GET", "/studies", Authorization="Bearer " + TOKEN[:-1]))
        self.assertFalse(self.ok("GET", "/", Authorization="Bearer " + READ)["may_write"])
        self.refused(403, "POST", "/studies", STUDY, Authorization="Bearer " + READ)
        self.ok("POST", "/studies", STUDY, status=201, Authorization="Bearer " + TOKEN)
        self.stop()

    def test_guessing_is_slow(self):
        codes = [self.send("GET", "/", Authorization="Bearer guess")[0] for _ in range(60)]
        self.assertEqual(codes[0], 401)
        self.assertIn(429, codes)


class Starting(ServerCase):
    def test_a_network_address_needs_a_token_that_nobody_else_can_read(self):
        self.assertIn("give a token", self.summand("serve", "studies.db", "--address", "0.0.0.0", code=2))
        (self.folder / "token").write_text(TOKEN + "\n")
        os.chmod(self.folder / "token", 0o644)
        self.assertIn("chmod 600", self.summand("serve", "studies.db", "--token-file", "token", code=2))
        self.assertIn("at least 16", self.summand("serve", "x.db", code=2, env={**os.environ, "SUMMAND_TOKEN": "short"}))
        self.assertIn("cannot listen", self.summand("serve", "studies.db", "--port", self.port, code=2))


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
class WithTls(ServerCase):
    arguments = ("--tls-certificate", "certificate.pem", "--tls-key", "key.pem")

    def start(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem",
                        "-out", "certificate.pem"], cwd=self.folder, check=True, capture_output=True)
        super().start()

    def test_the_command_speaks_tls_and_checks_the_certificate(self):
        trusting = {**os.environ, "SSL_CERT_FILE": str(self.folder / "certificate.pem")}
        self.assertTrue(self.url.startswith("https://"))
        context = ssl.create_default_context(cafile=self.folder / "certificate.pem")
        with socket.create_connection(("127.0.0.1", self.port)) as plain, context.wrap_socket(plain, server_hostname="localhost") as secure:
            secure.sendall(b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertIn(b"200 OK", secure.recv(1000))
        self.assertIn("no study", self.summand("status", "demo", "--server", self.url, code=2, env=trusting))
        self.assertIn("does not answer", self.summand("work", self.url, code=3, env={**os.environ, "SSL_CERT_FILE": "/dev/null"}))


if __name__ == "__main__":
    unittest.main(argv=["safety_test", *sys.argv[2:]])
