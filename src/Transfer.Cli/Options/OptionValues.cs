using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Options;

/// <summary>
/// Reads options from the command line, or else from the environment. Errors name where a value came from. All reads pass here, so that options that are given and
/// never read are refused instead of ignored.
/// </summary>
internal sealed class OptionValues(ParseResult line, ToolEnvironment environment)
{
    /// <summary>The sizes that <see cref="ByteSize"/> reads, for errors.</summary>
    public const string AcceptedSize = "a number of bytes, or a number with KiB, MiB, GiB, or TiB (K, M, G, and T mean the same: powers of 1024) or KB, MB, GB, or TB (powers of 1000), such as 8MiB";

    private readonly HashSet<Option> _read = [];

    public delegate bool Parser<T>(string text, out T value);

    public ToolEnvironment Environment { get; } = environment;

    /// <summary>Gets the name of the command.</summary>
    public string Command => line.CommandResult.Command.Name;

    /// <summary>Gets the tool's environment variable for an option: TRANSFER_PART_SIZE for --part-size.</summary>
    public static string GetVariable(Option option) => "TRANSFER_" + option.Name.TrimStart('-').Replace('-', '_').ToUpperInvariant();

    /// <summary>Finds the text of an option: on the command line, or in the first of the variables that is set.</summary>
    public GivenValue? Find(Option<string?> option, params ReadOnlySpan<string> variables)
    {
        if (IsReadFromLine(option) && line.GetValue(option) is { } text)
        {
            return new GivenValue(option.Name, text);
        }

        foreach (string variable in variables)
        {
            if (Environment.Get(variable) is { } value)
            {
                return new GivenValue(variable, value);
            }
        }

        return null;
    }

    /// <summary>Finds the text of an option on the command line only.</summary>
    public GivenValue? Line(Option<string?> option) => Find(option, []);

    /// <summary>Gets all texts of a repeatable option on the command line.</summary>
    public IReadOnlyList<string> Lines(Option<string[]> option) => IsReadFromLine(option) ? line.GetValue(option) ?? [] : [];

    /// <summary>Gets the texts of several repeatable options on the command line, in their common order.</summary>
    public IEnumerable<GivenValue> LinesInOrder(params IReadOnlyList<Option<string[]>> options)
    {
        Dictionary<string, (Option<string[]> Option, Queue<string> Texts)> byName = [];
        foreach (Option<string[]> option in options)
        {
            Queue<string> texts = new(Lines(option));
            foreach (string name in option.Aliases.Prepend(option.Name))
            {
                byName[name] = (option, texts);
            }
        }

        foreach (Token token in line.Tokens)
        {
            if (token.Type == TokenType.Option && byName.TryGetValue(token.Value, out (Option<string[]> Option, Queue<string> Texts) given) && given.Texts.TryDequeue(out string? text))
            {
                yield return new GivenValue(given.Option.Name, text);
            }
        }
    }

    public GivenValue? Find(Option<string?> option) => Find(option, GetVariable(option));

    /// <summary>Gets whether a flag is on: on the command line, or else in the tool's environment variable.</summary>
    public bool IsOn(Option<bool> option)
    {
        if (IsReadFromLine(option))
        {
            return line.GetValue(option);
        }

        string variable = GetVariable(option);
        return Environment.Get(variable) is { } text && Convert<bool>(new GivenValue(variable, text), FlagText.TryParse, FlagText.Accepted);
    }

    /// <summary>Gets whether a flag is on, on the command line only.</summary>
    public bool Flag(Option<bool> option) => IsReadFromLine(option) && line.GetValue(option);

    /// <summary>Gets whether the command line specifies an option. That alone doesn't count as reading it.</summary>
    public bool IsOnLine(Option option) => line.GetResult(option) is { Implicit: false };

    /// <summary>Gets whether the command has an option. The variable of an option that it doesn't have means nothing to it.</summary>
    public bool Accepts(Option option) => line.CommandResult.Command.Options.Contains(option);

    /// <summary>Gets how often the command line repeats a flag, as in -vv.</summary>
    public int CountOnLine(Option<bool> option) => IsReadFromLine(option) && line.GetValue(option) ? line.GetResult(option)!.IdentifierTokenCount : 0;

    /// <summary>Gets whether the command line or the tool's environment variable specifies an option. That alone doesn't count as reading it.</summary>
    public bool IsGiven(Option option) => IsOnLine(option) || (option.ValueType != typeof(string[]) && Environment.Get(GetVariable(option)) is not null);

    /// <summary>Refuses the options on the command line that were not read. Variables of the environment are for all commands.</summary>
    /// <param name="purpose">What the command would do without them, such as "a download".</param>
    /// <exception cref="UsageException">Thrown when there is such an option.</exception>
    public void RefuseUnread(string purpose)
    {
        foreach (OptionResult given in line.CommandResult.Children.OfType<OptionResult>())
        {
            if (!given.Implicit && !_read.Contains(given.Option))
            {
                throw new UsageException($"{given.Option.Name} isn't used for {purpose}");
            }
        }
    }

    public long? Size(Option<string?> option, long min, long max)
    {
        string accepted = $"a size from {ByteSize.Format(min)} to {ByteSize.Format(max)}: {AcceptedSize}";
        return Find(option) is { } given
            ? Convert(given, (string text, out long bytes) => ByteSize.TryParse(text, out bytes) && bytes >= min && bytes <= max, accepted)
            : null;
    }

    public int? Number(Option<string?> option, int min, int max) => Find(option) is { } given ? Number(given, min, max) : null;

    public static int Number(GivenValue given, int min, int max) => Convert(
        given,
        (string text, out int number) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= min && number <= max,
        string.Create(CultureInfo.InvariantCulture, $"a number from {min} to {max}"));

    /// <summary>Reads one of the values that the help of an option lists, which are the names of members of an enumeration.</summary>
    public T? Choice<T>(Option<string?> option, StringComparison comparison = StringComparison.Ordinal)
        where T : struct, Enum
        => Find(option) is { } given ? Choice<T>(given, option.HelpName!.Split('|'), comparison) : null;

    public static T Choice<T>(GivenValue given, string[] names, StringComparison comparison = StringComparison.Ordinal)
        where T : struct, Enum
        => Array.Exists(names, name => name.Equals(given.Text, comparison)) ? Enum.Parse<T>(given.Text, ignoreCase: true) : throw Wrong(given, EnumText.AnyOf(names));

    public T? Read<T>(Option<string?> option, Parser<T> parser, string accepted)
        where T : struct
        => Find(option) is { } given ? Convert(given, parser, accepted) : null;

    /// <summary>Reads a file that an option names.</summary>
    /// <exception cref="UsageException">Thrown when it can't be read.</exception>
    public static string ReadFile(GivenValue file)
    {
        try
        {
            return File.ReadAllText(file.Text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{file.Source} got '{Printable.Text(file.Text)}', which can't be read: {FileError.GetReason(e)}", e);
        }
    }

    private bool IsReadFromLine(Option option)
    {
        if (!IsOnLine(option))
        {
            return false;
        }

        _read.Add(option);
        return true;
    }

    public static T Convert<T>(GivenValue given, Parser<T> parser, string accepted)
        => parser(given.Text, out T value) ? value : throw Wrong(given, accepted);

    public static UsageException Wrong(GivenValue given, string accepted)
        => new($"{given.Source} got '{Printable.Text(given.Text)}'; it accepts {accepted}");
}
