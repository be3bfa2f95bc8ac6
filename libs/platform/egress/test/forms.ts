const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Addresses in networks that are not the internet, as a resolver answers them. */
export const FORBIDDEN_ADDRESSES = words(`
  127.0.0.1 127.0.0.2 127.1.1.1 127.255.255.254 0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.1 10.255.255.255 172.16.0.1
  172.31.255.255 192.168.0.1 192.168.255.255 169.254.169.254 169.254.170.2 169.254.0.1 100.64.0.1 100.100.100.200
  100.127.255.255 192.0.0.192 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::2 ::7f00:1 ::127.0.0.1
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a00:1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1
  64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001:0:7f00:1:: 2001:db8::1 2001:10::1 2001:20::1
  2001:2::1 fc00::1 fd00::1 fd00:ec2::254 fe80::1 fe80::1%lo febf::1 fec0::1 ff02::1 ff0e::1 100::1 3fff::1
  5f00::1 4000::1 e000::1
`);

/** 127.0.0.1 as one, two and three numbers; in octal and hexadecimal, padded and mixed. */
const NUMBERS = words(`
  2130706433 127.1 127.0.1 017700000001 0x7f000001 0x7F.0x0.0x0.0x1 0177.0.0.1 0177.1 0x7f.1 127.0x1 0x7f.0.0.01
  00000177.0.0.1 0x0000007f.0.0.1 127.0.0.1. 127.000.000.001 0x7f.0377.0377.0376 2130706434 0x7f000002 127.65530
  127.0.65534
`);

/** Percent signs and digits of other scripts. */
const OTHER_LETTERS = words(`
  %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 %6c%6f%63%61%6c%68%6f%73%74 127\u30020\u30020\u30021
  \uff11\uff12\uff17.\uff10.\uff10.\uff11 127\uff0e0\uff0e0\uff0e1 127\uff610\uff610\uff611 127\u30020.0\u30021
  \u2460\u2461\u2466.\u24ea.\u24ea.\u2460 \u246f\u2468\u3002\u2461\u2464\u2463\u3002\u246f\u2468\u3002\u2461\u2464\u2463
  \u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3 \uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54
  \ufb01le.internal lo\u00adcalhost 127.0.0.1\u3002
`);

/** The metadata address, and private networks. */
const OTHER_NETWORKS = words(`
  2852039166 0xa9fea9fe 0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 169.254.43518 169.16689662 0xA9FEA9FE 025177524776
  169.0xfe.43518 0x64646464 1684301000 167772161 10.1 0xa.1 012.0.0.1 0xac100001 172.16.1 3232235521 0300.0250.0.1
  192.168.257 0 0x0 0.0 00000 0x00000000 255.255.65535 4294967295 0xffffffff 224.1 0xe0000001
`);

/** IPv6 in its other spellings. */
const IPV6 = words(`
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [::] [0::0] [::127.0.0.1]
  [::ffff:127.0.0.1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:0] [::ffff:10.0.0.1]
  [::ffff:169.254.169.254] [::ffff:192.168.1.1] [64:ff9b::127.0.0.1] [64:ff9b::169.254.169.254] [2002:7f00:0001::]
  [2002:a9fe:a9fe::1] [fe80::1] [fd00:ec2::254] [fe80::1%25lo] [::1%25lo] [fec0::1] [ff02::1] [fc00::] [::7f00:1]
  [2001:db8::1]
`);

/** Names. */
const NAMES = words(`
  localhost LOCALHOST localhost. a.localhost localhost.localdomain metadata intranet metadata.google.internal
  instance-data.ec2.internal kubernetes.default.svc.cluster.local router.lan printer.local db.corp nas.home
  hidden.onion x.home.arpa site.test site.invalid redis -.example a..example _ a_-.example 256.256.256.256
  1.2.3.4.5 127.0.0.1.5 0x7f.0.0.1.1 [::1 [127.0.0.1] [::1]]
`);

const FORBIDDEN_HOSTS = [
  ...NUMBERS,
  ...OTHER_LETTERS,
  ...OTHER_NETWORKS,
  ...IPV6,
  ...NAMES,
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
];

/** Addresses that are refused for another part than their host. */
const FORBIDDEN_PARTS = words(`
  file:///etc/passwd ftp://site.example/ gopher://site.example:70/_x data:text/html,x dict://a.example/
  javascript:alert(1) ws://site.example/ wss://site.example/ blob:http://site.example/1 about:blank
  ldap://site.example/ jar:http://site.example!/ netdoc:///etc/passwd view-source:http://site.example/
  //site.example/ /page site.example http: http:// https:/// http://? http://user@site.example/
  http://user:word@site.example/ http://:word@site.example/ http://site.example@127.0.0.1/
  http://127.0.0.1@site.example/ http://site.example%40127.0.0.1@x.example/ http://site.example:22/
  http://site.example:25/ http://site.example:6379/ http://site.example:443/ https://site.example:80/
  http://site.example:0/ http://site.example:65535/ http://site.example:65536/ http://site.example:8080/
  http://site.example:-1/ http://site.example:1e2/ http://site.example:80:80/ http://site.example:9200/_search
  http://site.example:5432/ http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/ http:////127.0.0.1/
  HTTP://127.0.0.1/ http://127.0.0.1#.site.example/ http://127.0.0.1?.site.example/
  http://127.0.0.1;.site.example/
`);

/** Forms with spaces, controls and backslashes, which parsers read differently. */
const AMBIGUOUS_FORMS = [
  '',
  ' ',
  'http:// ',
  'http://site.example\\@127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:/\\127.0.0.1/',
  'http://127.0.0.1\\.example/',
  'http://site.example\t/',
  'http://site\n.example/',
  'http://127.0.0.1\u0000.example/',
  '\u2028http://site.example/',
  'http://site.example/ HTTP/1.1\r\nHost: x',
  'http://site.example /',
  'http://127.0.0.1:80\u3000/',
  'ht\ttp://a.example',
  `http://site.example/${'a'.repeat(2_048)}`,
];

const hostIn = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Each form of an address as a user could give it. @param port where a listener hears */
export const forbiddenForms = (port: number): readonly string[] => [
  ...FORBIDDEN_ADDRESSES.flatMap((address) => [`http://${hostIn(address)}/`, `http://${hostIn(address)}:${port}/`]),
  ...FORBIDDEN_HOSTS.flatMap((host) => [`http://${host}:${port}/`, `https://${host}/`]),
  ...FORBIDDEN_PARTS,
  ...AMBIGUOUS_FORMS,
];
