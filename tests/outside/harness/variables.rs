//! A registry whose program gets variables of the environment.

use std::ffi::OsStr;

use super::program::{ServerProcess, run_as};
use super::{CommandOutput, Registry};

impl Registry {
    /// Starts the server with variables of the environment.
    #[track_caller]
    pub fn start_with_variables(&mut self, variables: &[(&str, &str)]) {
        assert!(self.serving.is_none(), "it runs already");
        let arguments = self.arguments(["serve"]);
        let mut program = self.program();
        program.envs(variables.iter().copied());
        self.serving = Some(ServerProcess::start(program, self.folder(), &arguments));
    }

    /// Like [`Self::command`], with a variable of the environment.
    #[track_caller]
    pub fn command_with_variable<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        variable: &str,
        value: &str,
    ) -> CommandOutput {
        self.command_with_variables(arguments, &[(variable, value)])
    }

    /// Like [`Self::command`], with variables of the environment.
    #[track_caller]
    pub fn command_with_variables<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        variables: &[(&str, &str)],
    ) -> CommandOutput {
        let mut program = self.program();
        program.envs(variables.iter().copied());
        run_as(program, &self.arguments(arguments))
    }

    /// Starts a server with other arguments in the temporary folder, with variables of the environment.
    #[track_caller]
    pub fn start_other_with_variables(
        &self,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> ServerProcess {
        let mut program = self.program();
        program.envs(variables.iter().copied());
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        ServerProcess::start(program, self.folder(), &arguments)
    }

    /// Runs a command with other arguments in the temporary folder, with variables of the environment.
    #[track_caller]
    pub fn run_other_with_variables(&self, arguments: &[&str], variables: &[(&str, &str)]) -> CommandOutput {
        let mut program = self.program();
        program.envs(variables.iter().copied());
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        run_as(program, &arguments)
    }
}
