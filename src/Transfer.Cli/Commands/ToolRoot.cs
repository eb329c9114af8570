using System.CommandLine;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Commands;

/// <summary>The tool with its commands. They have hundreds of options together, so a run only builds those that it needs.</summary>
internal sealed class ToolRoot(CommandRunner runner) : RootCommand("Copy files to and from S3-compatible stores, verified and in bounded memory.")
{
    private static readonly (string Name, Func<CommandRunner, ToolCommand> Create)[] Commands =
    [
        ("cp", static runner => new CopyCommand(runner)),
        ("mv", static runner => new MoveCommand(runner)),
        ("cat", static runner => new CatCommand(runner)),
        ("sync", static runner => new SyncCommand(runner)),
        ("ls", static runner => new ListCommand(runner)),
        ("verify", static runner => new VerifyCommand(runner)),
        ("stat", static runner => new StatCommand(runner)),
        ("du", static runner => new UsageCommand(runner)),
        ("mb", static runner => new MakeBucketCommand(runner)),
        ("rb", static runner => new RemoveBucketCommand(runner)),
        ("rm", static runner => new RemoveCommand(runner)),
        ("tag", static runner => new TagCommand(runner)),
        ("presign", static runner => new PresignCommand(runner)),
        ("abort", static runner => new AbortCommand(runner)),
        ("whoami", static runner => new WhoAmICommand(runner)),
        ("doctor", static runner => new DoctorCommand(runner)),
        ("bench", static runner => new BenchCommand(runner)),
        ("demo", static runner => new DemoCommand(runner)),
        ("serve", static runner => new ServeCommand(runner)),
        ("plan", static runner => new PlanCommand(runner)),
        ("run", static runner => new RunCommand(runner)),
        ("finish", static runner => new FinishCommand(runner)),
        ("status", static runner => new StatusCommand(runner)),
        ("completion", static runner => new CompletionCommand(runner)),
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
