/* SPDX-License-Identifier: Apache-2.0 */
/* check.c: `pod-dnsctl check`: finds what is wrong with a conflist; prints the JSON Schema. */
#include "config/conf.h"
#include "config/conf_file.h"
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "config/netdir.h"
#include "pod-dnsctl/verbs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/*** our object ***/

/* Moves the faults of e's list into the findings. Returns whether there were any. */
static bool take_faults(struct findings *f, const char *kind, struct err *e)
{
	(void)err_next(e);
	findings_add_list(f, kind, e->list);
	return e->list->n > 0;
}

/* Decodes the configFile over the conflist. Findings name that file. */
static void decode_file(struct conf *c, const json_t *network, json_t **file, struct findings *f)
{
	struct err_list faults = { .arena = f->arena };
	struct err e = { 0 };
	const char *conflist = f->file;

	if (!c->config_file)
		return;
	f->file = arena_print(f->arena, "%s", c->config_file);
	*file = conflist_load(c->config_file, &e);
	if (!*file) {
		findings_add(f, SEVERITY_ERROR, "config-file", "", NULL, "%s", e.text);
	} else {
		e.list = &faults;
		(void)conf_decode_file(c, network, *file, &e);
		(void)take_faults(f, "config", &e);
	}
	f->file = conflist;
}

static void check_own_object(const struct conflist *list, const char *kubelet, struct findings *f)
{
	static struct network_conf network; /* large */
	struct conf *conf = &network.conf;
	struct warnings w = { .arena = f->arena };
	struct err_list faults = { .arena = f->arena };
	struct err e = { .list = &faults };
	size_t errors = findings_count(f, SEVERITY_ERROR);

	conf_init(conf);
	conf_warn_misspelt(list->network, &w);
	(void)conf_decode(conf, list->network, &e);
	decode_file(conf, list->network, &network.file, f);
	(void)conf_check(conf, &w, &e);
	(void)take_faults(f, "config", &e);
	findings_add_warnings(f, &w, "");
	/* Only what was decoded without a fault can be looked at further. */
	if (errors == findings_count(f, SEVERITY_ERROR)) {
		check_meaning(conf, f);
		check_values(conf, f);
		check_pods(&network, f);
	}
	if (kubelet)
		(void)check_kubelet(conf, kubelet, f);
	conf_file_done(&network);
}

void check_conflist(const char *path, const char *kubelet, struct findings *f)
{
	auto_conflist list = { 0 };
	struct err e = { 0 };

	f->file = path;
	if (!conflist_read(&list, path, &e)) {
		findings_add(f, SEVERITY_ERROR, "conflist", "", NULL, "%s", e.text);
		return;
	}
	check_types(&list, f);
	check_chain(&list, f);
	/* Findings point into the document. */
	check_own_object(&list, kubelet, f);
	check_unread_keys(&list, f);
}

void check_config_file(const char *path, struct findings *f)
{
	static struct network_conf network; /* large */
	struct conf *conf = &network.conf;
	struct warnings w = { .arena = f->arena };
	struct err_list faults = { .arena = f->arena };
	struct err fault = { 0 }, e = { .list = &faults };

	f->file = path;
	network.file = conflist_load(path, &fault);
	if (!network.file) {
		findings_add(f, SEVERITY_ERROR, "config-file", "", NULL, "%s", fault.text);
		return;
	}
	conf_init(conf);
	(void)conf_decode_file(conf, NULL, network.file, &e);
	(void)conf_check(conf, &w, &e);
	if (!take_faults(f, "config", &e)) {
		check_meaning(conf, f);
		check_values(conf, f);
	}
	findings_add_warnings(f, &w, "");
	conf_file_done(&network);
}

/* A conflist, or each network in a folder, in the order of the runtime. */
static void check_operand(const char *path, const char *kubelet, struct findings *f)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, NULL, alphasort);
	size_t checked = 0;

	if (n < 0) {
		check_conflist(path, kubelet, f);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (netdir_is_network(names[i]->d_name)) {
			check_conflist(arena_print(f->arena, "%s/%s", path, names[i]->d_name),
				       kubelet, f);
			checked++;
		}
		free(names[i]);
	}
	free(names);
	f->file = path;
	if (!checked)
		findings_add(f, SEVERITY_ERROR, "conflist", "", NULL, "no network in this folder");
}

/*** what is printed ***/

/* A line, or where a terminal reads as many as it takes. */
static void print_finding(struct out *out, const struct finding *at, struct arena *a)
{
	struct columns c = { .out = out, .indent = 2, .whole = !out->tty };
	bool error = at->severity == SEVERITY_ERROR;

	columns_put(&c, OUT_BOLD, 0, arena_print(a, "%s:", at->file));
	columns_put(&c, error ? OUT_RED : OUT_YELLOW, 0, error ? "error:" : "warning:");
	if (*at->path)
		columns_put(&c, OUT_BOLD, 0, arena_print(a, "%s:", at->path));
	columns_text(&c, OUT_PLAIN, at->text);
	if (at->suggestion && !strstr(at->text, at->suggestion))
		columns_text(&c, OUT_PLAIN, arena_print(a, "(suggested: %s)", at->suggestion));
	columns_put(&c, OUT_DIM, 0, arena_print(a, "[%s]", at->kind));
	columns_end(&c);
}

static void print_findings(struct out *out, const struct findings *f)
{
	size_t errors = findings_count(f, SEVERITY_ERROR);

	for (size_t i = 0; i < f->n; i++)
		print_finding(out, &f->at[i], f->arena);
	if (f->lost)
		out_line(out, "%zu more are not shown", f->lost);
	if (!f->n)
		out_line(out, "nothing found");
	else
		out_line(out, "%zu error%s, %zu warning%s", errors, errors == 1 ? "" : "s",
			 f->n - errors, f->n - errors == 1 ? "" : "s");
}

static int print_schema(struct ctl *ctl)
{
	json_auto_t *schema = check_schema();
	struct err e = { 0 };

	if (!schema) {
		(void)err_set(&e, ERR_IO, "out of memory");
		return ctl_fail(ctl, &e);
	}
	out_json(ctl->out, schema);
	return CTL_GOOD;
}

/* --strict accepts the musl warning: most clusters accept it when they lower ndots. */
static bool is_accepted(const struct findings *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->at[i].kind, "guard-ndots-musl") != 0)
			return false;
	return true;
}

static int check(struct ctl *ctl)
{
	static struct findings findings; /* large */
	bool strict = ctl_flag(ctl, "strict"), schema = ctl_flag(ctl, "schema");
	const char *config, *own = NULL;
	struct err e = { 0 };

	if (schema)
		return ctl->n_args ? ctl_usage(ctl, "--schema takes no conflist")
				   : print_schema(ctl);
	findings = (struct findings){ .arena = ctl->arena };
	for (size_t i = 0; (config = ctl_value_at(ctl, "config", i)); i++)
		check_config_file(config, &findings);
	if (!ctl->n_args && !ctl_flag(ctl, "config") && !(own = own_conflist(ctl->arena, &e)))
		return ctl_fail(ctl, &e);
	if (own)
		check_conflist(own, ctl_value(ctl, "kubelet"), &findings);
	for (int i = 0; i < ctl->n_args; i++)
		check_operand(ctl->args[i], ctl_value(ctl, "kubelet"), &findings);
	if (ctl->json) {
		json_auto_t *json = findings_json(&findings);

		out_json(ctl->out, json);
	} else {
		print_findings(ctl->out, &findings);
	}
	if (findings_count(&findings, SEVERITY_ERROR) || findings.lost)
		return CTL_BAD;
	return strict && !is_accepted(&findings) ? CTL_BAD : CTL_GOOD;
}

static const struct ctl_option options[] = {
	{ .name = "kubelet",
	  .value = "FILE",
	  .help = "compare with kubelet's configuration: its file,\n"
		  "YAML or JSON, or what kubectl get --raw prints of\n"
		  "the node's proxy/configz" },
	{ .name = "config",
	  .value = "FILE",
	  .repeats = true,
	  .help = "check a configFile, such as the hook's" },
	{ .name = "strict", .help = "exit 1 for warnings too" },
	{ .name = "schema", .help = "print the JSON Schema of the plugin's object" },
	{ 0 },
};

const struct ctl_verb ctl_verb_check = {
	.name = "check",
	.synopsis = "check [--kubelet FILE] [--strict] [--config FILE]...\n"
		    "      [CONFLIST|FOLDER]...\n"
		    "check --schema",
	.summary = "everything that is wrong with a conflist, before a node sees it",
	.help = "Prints every finding at once, with the key it is about: what ADD would refuse\n"
		"(errors), and what is probably not meant (warnings): misspelt keys, rules that\n"
		"no pod reaches, capabilities that are missing, guards that will fire, a plugin\n"
		"behind pod-dns that drops its work, a cniVersion that the runtime does not know.\n"
		"Exits 1 where there is an error. Without a CONFLIST: the node's own network.\n",
	.options = options,
	.max_args = CTL_MANY,
	.json = true,
	.examples = "  pod-dnsctl check --kubelet /var/lib/kubelet/config.yaml\n"
		    "  pod-dnsctl check --strict 10-net.conflist\n",
	.run = check,
};
