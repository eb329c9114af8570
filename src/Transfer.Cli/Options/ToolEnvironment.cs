using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Options;

/// <summary>The environment variables that the tool reads. Like in the AWS CLI, an empty variable counts as not set.</summary>
/// <param name="read">Reads a variable.</param>
/// <param name="names">Gets the names of all variables; null if they aren't known.</param>
internal sealed class ToolEnvironment(Func<string, string?> read, Func<IEnumerable<string>>? names = null)
{
    private const string Prefix = "TRANSFER_";

    /// <summary>The variable that shows stack traces.</summary>
    public const string Debug = Prefix + "DEBUG";

    /// <summary>The variables that no option has: those of the library, of completion, and of errors.</summary>
    public static IReadOnlyList<string> Others { get; } =
        [Debug, Prefix + "UPLOAD_CONCURRENCY", Prefix + "DOWNLOAD_PART_SIZE", Prefix + "UPLOAD_PART_SIZE", Prefix + "COMPLETION_TIMEOUT"];

    public static ToolEnvironment Process { get; } = new(Environment.GetEnvironmentVariable, static () => Environment.GetEnvironmentVariables().Keys.OfType<string>());

    public string? Get(string name) => read(name) is { Length: > 0 } value ? value : null;

    public bool IsOn(string name) => Get(name) is { } value && FlagText.TryParse(value, out bool on) && on;

    /// <summary>Gets what to say about variables whose names are similar to those of options. Others can belong to other programs.</summary>
    /// <param name="command">The command. The others are only built if there is a variable that isn't its own.</param>
    public IEnumerable<string> FindMisspelled(Command command)
    {
        string[] given = [.. (names?.Invoke() ?? []).Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && !Others.Contains(name) && Get(name) is not null && !command.Options.Any(option => OptionValues.GetVariable(option) == name))];
        if (given.Length == 0 || command.Parents.OfType<ToolRoot>().FirstOrDefault() is not { } root)
        {
            yield break;
        }

        string[] known = [.. Others, .. root.BuildAll().SelectMany(static one => one.Options).Where(static option => option.ValueType != typeof(string[])).Select(OptionValues.GetVariable)];
        foreach (string name in given.Except(known, StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            if (Suggestion.Find(name[Prefix.Length..], known.Select(static one => one[Prefix.Length..])) is { } meant)
            {
                yield return $"{Printable.Text(name)} is not a variable of this tool; did you mean {Prefix}{meant}?";
            }
        }
    }
}
