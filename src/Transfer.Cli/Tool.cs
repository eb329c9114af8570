using System.CommandLine;
using System.CommandLine.Help;
using Transfer.Cli.Commands;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli;

/// <summary>The tool as a whole: its commands, and one line from parsing to exit code.</summary>
internal sealed class Tool(ToolConsole console, ToolEnvironment environment, TimeProvider time)
{
    // A key may begin with "@"; that is no file of options here.
    private static readonly ParserConfiguration Parsing = new() { ResponseFileTokenReplacer = null };

    // Signals are the program's: see Interruption.
    private static readonly InvocationConfiguration Invoking = new() { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false };

    public async Task<int> RunAsync(string[] arguments, CancellationToken cancellationToken)
    {
        RootCommand root = CreateRoot();
        if (arguments.Length == 0)
        {
            HelpText.Write(root, console.Output, console.Width);
            console.Flush();
            return ExitCode.Done;
        }

        ParseResult line = root.Parse(arguments, Parsing);
        if (line.CommandResult.Command == root && (line.Errors.Count > 0 || line.UnmatchedTokens.Count > 0)) // --help clears the errors
        {
            string what = line.UnmatchedTokens is [{ } first, ..] ? $"'{first}' is no command" : "a command is missing";
            console.Message($"{what}; the commands are {string.Join(", ", root.Subcommands.Select(command => command.Name))}");
            return ExitCode.Usage;
        }

        // A line with errors has an action that prints them its own way, on exit code 1: the command's own runner does it better.
        return line.Action is System.CommandLine.Invocation.ParseErrorAction && line.CommandResult.Command.Action is System.CommandLine.Invocation.AsynchronousCommandLineAction action
            ? await action.InvokeAsync(line, cancellationToken).ConfigureAwait(false)
            : await line.InvokeAsync(Invoking, cancellationToken).ConfigureAwait(false);
    }

    public RootCommand CreateRoot()
    {
        CommandRunner runner = new(console, environment, time);
        RootCommand root = new("Moves objects between S3-compatible stores and this machine: in parallel, in bounded memory, verified.")
        {
            CopyCommand.Create(runner),
            ListCommand.Create(runner),
            VerifyCommand.Create(runner),
            AbortCommand.Create(runner),
            BenchCommand.Create(runner),
            DemoCommand.Create(runner),
            ServeCommand.Create(runner),
        };
        foreach (Option option in root.Options)
        {
            option.Action = option switch
            {
                HelpOption => new HelpTextAction(console),
                VersionOption => new VersionAction(console),
                _ => option.Action,
            };
        }

        return root;
    }
}
