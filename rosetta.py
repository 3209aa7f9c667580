"""The command `rosetta`: assembles the subcommands of the packages, each loaded only when it is called."""

from __future__ import annotations

import importlib

import click

COMMANDS = {
    "list": ("runners.frameworks_cli", "Show frameworks and workloads, and what runs here."),
    "setup": ("runners.frameworks_cli", "Make a framework's environment."),
    "new": ("runners.frameworks_cli", "Start a framework from the template."),
    "run": ("runners.cli", "Measure, and write a submission."),
    "check": ("collector.cli", "Check submission files; print every problem."),
    "import": ("collector.cli", "Turn published figures and logs into submissions."),
    "build": ("collector.cli", "Build the data set from all submissions."),
    "stats": ("collector.stats_cli", "Count submissions and results; list unknown names."),
    "schema": ("collector.cli", "Print the JSON Schema of a submission."),
    "site": ("sitegen.cli", "Build the website."),
    "report": ("sitegen.report.cli", "Build the report as PDF."),
    "serve": ("sitegen.cli", "Serve the built website on this machine."),
}


class Lazy(click.Group):
    """A group that imports the module of a subcommand only when that subcommand is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[name][0])
        command: click.Command = getattr(module, f"{name}_command")
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_module, help_line) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rosetta-bench", prog_name="rosetta")
def main() -> None:
    """Measure deep-learning frameworks, check and collect results, publish them as a site and a report."""
