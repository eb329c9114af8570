using System.CommandLine;
using System.CommandLine.Help;
using System.Reflection;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Demo;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli;

/// <summary>The command-line tool: parses the command line, runs the command, and returns the exit code.</summary>
/// <param name="console">The console.</param>
/// <param name="environment">The environment variables.</param>
/// <param name="time">The time.</param>
/// <param name="planned">Called with the plan of a command before anything is sent; null for nothing.</param>
internal sealed class Tool(ToolConsole console, ToolEnvironment environment, TimeProvider time, Action<IReadOnlyList<object?>>? planned = null)
{
    // A key can begin with "@", so such arguments aren't response files. Bundles of short options are split before, so that the parser takes no letter for an argument.
    private static readonly ParserConfiguration Parsing = new() { ResponseFileTokenReplacer = null, EnablePosixBundling = false };

    // Signals are handled by Interruption.
    private static readonly InvocationConfiguration Invoking = new() { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false };

    /// <summary>Gets the version of the tool.</summary>
    public static string? Version => typeof(Tool).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;

    public async Task<int> RunAsync(string[] arguments, CancellationToken cancellationToken)
    {
        CommandRunner runner = new(console, environment, time, planned);
        ToolRoot root = CreateRoot(runner, arguments);
        if (arguments.Length == 0)
        {
            return console.TryWrite(() => HelpText.Write(root, console.Output, console.Width)) ? ExitCode.Done : ExitCode.Failed;
        }

        if (arguments is [CompletionCommand.Directive, { } begun])
        {
            foreach (string word in await CompletionCommand.CompleteAsync(root, begun, new AddressCompletion(environment, time)).ConfigureAwait(false))
            {
                console.Output.WriteLine(word);
            }

            console.Flush();
            return ExitCode.Done;
        }

        if (arguments is [ContenderProgram.Directive])
        {
            return await ContenderProgram.RunAsync(Console.In, console).ConfigureAwait(false);
        }

        string[] words = CommandWords.Normalize(root, arguments, runner.Notes);
        if (words is [[not '-', ..] name, ..] && root.Subcommands.All(command => command.Name != name))
        {
            console.Message(CommandLineErrors.UnknownCommand(root, name)); // the parser would search for a command after it
            return ExitCode.Usage;
        }

        ParseResult line = root.Parse(words, Parsing);
        if (line.CommandResult.Command == root && (line.Errors.Count > 0 || line.UnmatchedTokens.Count > 0)) // --help clears the errors
        {
            console.Message(line.UnmatchedTokens is [{ } first, ..] ? CommandLineErrors.UnknownCommand(root, first) : $"a command is missing; the commands are {CommandLineErrors.Names(root)}");
            return ExitCode.Usage;
        }

        // The parser's action for errors would print them in its own way and return exit code 1. The command's runner reports them like all other errors.
        return line.Action is System.CommandLine.Invocation.ParseErrorAction && line.CommandResult.Command.Action is System.CommandLine.Invocation.AsynchronousCommandLineAction action
            ? await action.InvokeAsync(line, cancellationToken).ConfigureAwait(false)
            : await line.InvokeAsync(Invoking, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Creates the tool with all commands.</summary>
    public ToolRoot CreateRoot() => CreateRoot([]);

    /// <summary>Creates the tool with the commands that a command line can be about.</summary>
    public ToolRoot CreateRoot(string[] arguments) => CreateRoot(new CommandRunner(console, environment, time, planned), arguments);

    private ToolRoot CreateRoot(CommandRunner runner, string[] arguments)
    {
        ToolRoot root = new(runner);
        root.Add(new Option<bool>(HelpText.CompleteName) { Recursive = true, Description = "Show the complete help.", Action = Help(isComplete: true) });
        foreach (Option option in root.Options)
        {
            option.Action = option switch
            {
                HelpOption => Help(isComplete: false),
                VersionOption => new TextAction(console, _ => console.Output.WriteLine($"transfer {Version}")),
                _ => option.Action,
            };
        }

        root.BuildFor(arguments);
        return root;
    }

    private TextAction Help(bool isComplete) => new(console, command => HelpText.Write(command, console.Output, console.Width, isComplete));
}
