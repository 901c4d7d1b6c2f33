//! `soffio completions` and `soffio man`: what shells and `man` want to know, from the command line's own definition.

use super::{Cli, Failure};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs, out: &mut impl Write) -> Result<(), Failure> {
    clap_complete::generate(args.shell, &mut Cli::command(), "soffio", out);
    Ok(())
}

/// One page: the program, then a section for each command.
pub(super) fn man(out: &mut impl Write) -> Result<(), Failure> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    let page = Man::new(cli.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    extra(&cli, out)?;
    writeln!(out, ".SH COMMANDS")?;
    for command in cli.get_subcommands() {
        section(command, out)?;
    }
    page.render_version_section(out)?;
    Ok(())
}

/// The section of a command and of those below it.
fn section(command: &Command, out: &mut impl Write) -> io::Result<()> {
    let inner: Vec<_> = command.get_subcommands().collect();
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    writeln!(out, ".SS {}", name.replace('-', "\\-"))?;
    let mut text = Vec::new();
    // What every command takes is said once.
    let common = ["variant", "rules", "help"];
    let own = common.into_iter().fold(command.clone(), |own, id| own.mut_arg(id, |arg| arg.hide(true)));
    let page = Man::new(own);
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    if inner.is_empty() {
        page.render_options_section(&mut text)?;
    }
    // Headings of their own would end the section.
    for line in String::from_utf8_lossy(&text).lines() {
        match line.strip_prefix(".SH ") {
            Some(_) => writeln!(out, ".PP")?,
            None => writeln!(out, "{line}")?,
        }
    }
    extra(command, out)?;
    inner
        .into_iter()
        .filter(|command| command.get_name() != "help")
        .try_for_each(|command| section(command, out))
}

/// What help says last, line by line.
fn extra(command: &Command, out: &mut impl Write) -> io::Result<()> {
    let Some(text) = command.get_after_help() else { return Ok(()) };
    let text = text.to_string();
    for (number, line) in text.lines().enumerate() {
        let line = line.replace('\\', "\\\\").replace('-', "\\-");
        writeln!(out, "{}\n\\&{line}", if number == 0 { ".PP" } else { ".br" })?;
    }
    Ok(())
}
