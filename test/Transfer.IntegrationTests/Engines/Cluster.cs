using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>A cluster of one machine that a script of the repository starts, and the environment of its commands and tasks.</summary>
[UnsupportedOSPlatform("windows")]
internal sealed class Cluster : IAsyncDisposable
{
    private static readonly Regex Variable = new("(?<name>[A-Z_]+)='?(?<value>[^' \n]+)'?", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking);
    private readonly string _stop;
    private readonly string _name;
    private readonly TemporaryFolder _folder = new();

    private Cluster(string stop, string name) => (_stop, _name) = (stop, name);

    public Dictionary<string, string> Environment { get; } = [];

    /// <summary>Gets the folder of a file that each task writes, with the ID of its process, when it starts.</summary>
    public string Tasks => _folder.File("tasks");

    /// <summary>Gets the folder in which commands run, and to which engines write the output of tasks.</summary>
    public string Work => _folder.File("work");

    /// <param name="scripts">The folder of the scripts in the repository's tests, whose name is that of the engine.</param>
    /// <param name="environment">The environment of commands and tasks.</param>
    public static async Task<Cluster> StartAsync(string scripts, IReadOnlyDictionary<string, string> environment)
    {
        string folder = Path.Combine(MarkdownPages.Root, "test", scripts);
        Cluster cluster = new(Path.Combine(folder, $"stop-{scripts}"), $"{scripts.ToUpperInvariant()}_TEST");
        foreach ((string name, string value) in environment)
        {
            cluster.Environment[name] = value;
        }

        try
        {
            await cluster.WriteToolAsync();
            string exports = await ExternalProgram.RunInAsync(cluster.Work, Path.Combine(folder, $"start-{scripts}"), environment, Deadline.Longest);
            foreach (Match match in Variable.Matches(exports))
            {
                cluster.Environment[match.Groups["name"].Value] = match.Groups["value"].Value;
            }
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }

        return cluster;
    }

    /// <summary>Runs a command of the engine.</summary>
    /// <returns>What it wrote to standard output, without white space at its end.</returns>
    public async Task<string> RunAsync(string program, params string[] arguments)
        => (await ExternalProgram.RunInAsync(Work, program, Environment, Deadline.Longest, arguments)).TrimEnd();

    /// <summary>Runs a command that can fail because the state of a task has just changed.</summary>
    public async Task<bool> TryRunAsync(string program, params string[] arguments)
    {
        try
        {
            await RunAsync(program, arguments);
            return true;
        }
        catch (Xunit.Sdk.XunitException)
        {
            return false;
        }
    }

    /// <summary>Runs one of the scripts that the documentation shows.</summary>
    /// <returns>The value of each line that the script prints, by its name.</returns>
    public async Task<Dictionary<string, string>> RunExampleAsync(string script, params string[] arguments)
    {
        string text = await RunAsync(Path.Combine(MarkdownPages.Root, "samples", "ScaleOut", script), arguments);
        return text.Split('\n').Select(line => line.Split(": ", 2)).ToDictionary(parts => parts[0].TrimEnd(':'), parts => parts.Length > 1 ? parts[1] : string.Empty);
    }

    /// <summary>Gets what tasks have written, for the message of a test that fails.</summary>
    public string ReadOutput() => string.Join('\n', Directory.GetFiles(Work).Order(StringComparer.Ordinal).Select(file => $"{Path.GetFileName(file)}: {File.ReadAllText(file)}"));

    public async ValueTask DisposeAsync()
    {
        if (Environment.TryGetValue(_name, out string? cluster))
        {
            await ExternalProgram.RunAsync(_stop, new Dictionary<string, string>(), cluster);
        }

        _folder.Dispose();
    }

    /// <summary>Puts the tool on the path of the tasks, which know it only as "transfer".</summary>
    private async Task WriteToolAsync()
    {
        string programs = _folder.File("bin");
        foreach (string folder in (string[])[programs, Tasks, Work])
        {
            Directory.CreateDirectory(folder);
        }

        string tool = Path.Combine(programs, "transfer");
        string command = string.Join(' ', ToolFile.UnderTest.Command.Select(word => $"'{word}'"));
        await File.WriteAllTextAsync(tool, $$$"""
            #!/bin/sh
            task=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID.${SLURM_RESTART_COUNT:-0}}
            [ -z "$task" ] || { echo $$ >'{{{Tasks}}}'/"$task.new" && mv '{{{Tasks}}}'/"$task.new" '{{{Tasks}}}'/"$task"; }
            exec {{{command}}} "$@"

            """);
        File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Environment["PATH"] = $"{programs}:{System.Environment.GetEnvironmentVariable("PATH")}";
        Environment["AWS_CONFIG_FILE"] = Environment["AWS_SHARED_CREDENTIALS_FILE"] = Path.Combine(AppContext.BaseDirectory, "there-is-no-such-file");
        Environment["AWS_EC2_METADATA_DISABLED"] = "true";
    }
}
