using System.CommandLine;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Commands;

/// <summary>The tool with its commands. They have hundreds of options together, so a run only builds those that it needs.</summary>
internal sealed class ToolRoot(CommandRunner runner) : RootCommand("Copy files to and from S3-compatible stores, verified and in bounded memory.")
{
    private static readonly (string Name, Func<CommandRunner, Command> Create)[] Commands =
    [
        ("cp", CopyCommand.Create),
        ("mv", CopyCommand.CreateMove),
        ("cat", CatCommand.Create),
        ("sync", SyncCommand.Create),
        ("ls", ListCommand.Create),
        ("verify", VerifyCommand.Create),
        ("stat", StatCommand.Create),
        ("du", UsageCommand.Create),
        ("mb", MakeBucketCommand.Create),
        ("rb", RemoveBucketCommand.Create),
        ("rm", RemoveCommand.Create),
        ("tag", TagCommand.Create),
        ("presign", PresignCommand.Create),
        ("abort", AbortCommand.Create),
        ("whoami", WhoAmICommand.Create),
        ("doctor", DoctorCommand.Create),
        ("bench", BenchCommand.Create),
        ("demo", DemoCommand.Create),
        ("serve", ServeCommand.Create),
        ("plan", PlanCommand.Create),
        ("run", RunCommand.Create),
        ("finish", FinishCommand.Create),
        ("status", StatusCommand.Create),
        ("completion", CompletionCommand.Create),
    ];

    private readonly bool[] _built = new bool[Commands.Length];

    /// <summary>Builds the commands that a command line can be about: the one that it begins with, or all of them if it begins with anything else.</summary>
    public void BuildFor(string[] words)
    {
        switch (words)
        {
            case ["--version" or "version"]:
                break;
            case ["help", { } name, ..] when IndexOf(name) is >= 0 and int index:
                Build(index);
                break;
            case [{ } name, ..] when IndexOf(name) is >= 0 and int index:
                Build(index);
                break;
            default:
                BuildAll();
                break;
        }
    }

    /// <summary>Builds the commands that aren't built yet, for what looks at each command.</summary>
    /// <returns>All commands, in the order of the help.</returns>
    public IList<Command> BuildAll()
    {
        for (int i = 0; i < Commands.Length; i++)
        {
            Build(i);
        }

        return Subcommands;
    }

    private static int IndexOf(string name) => Array.FindIndex(Commands, command => command.Name == name);

    private void Build(int index)
    {
        if (!_built[index])
        {
            Subcommands.Insert(_built.AsSpan(0, index).Count(true), Commands[index].Create(runner));
            _built[index] = true;
        }
    }
}
