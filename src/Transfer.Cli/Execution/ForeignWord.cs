namespace Transfer.S3.Cli.Execution;

/// <summary>A command or options of other tools, and what they are here: an option with the same meaning, what is always done, advice, or nothing.</summary>
internal sealed record ForeignWord
{
    private ForeignWord(string names, string commands, bool hasValue)
    {
        Names = names.Split(' ');
        Commands = commands.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        HasValue = hasValue;
    }

    /// <summary>Gets the words that mean this.</summary>
    public IReadOnlyList<string> Names { get; }

    /// <summary>Gets the commands after which the options mean this; empty for all commands.</summary>
    public IReadOnlyList<string> Commands { get; }

    /// <summary>Gets a value that indicates whether the options have a value in the other tools. For one with the same meaning, the option here decides.</summary>
    public bool HasValue { get; }

    /// <summary>Gets the option with the same meaning; null if there is none.</summary>
    public string? Option { get; private init; }

    /// <summary>Gets the value that <see cref="Option"/> gets; null for the value that is given.</summary>
    public string? OptionValue { get; private init; }

    /// <summary>Gets why the options have no effect here; null if they do.</summary>
    public string? Needless { get; private init; }

    /// <summary>Gets the only value for which <see cref="Needless"/> is true; null for all values.</summary>
    public string? OnlyValue { get; private init; }

    /// <summary>Gets what to do instead; null if there is something better than advice.</summary>
    public string? Advice { get; private init; }

    /// <summary>Gets a value that indicates whether there is nothing to use instead, so that <see cref="Advice"/> says only that.</summary>
    public bool IsLacking { get; private init; }

    /// <summary>Gets the options that <see cref="Advice"/> names for the same command.</summary>
    public IReadOnlyList<string> AdvisedOptions { get; private init; } = [];

    /// <summary>Gets the command lines that <see cref="Advice"/> quotes, without the name of the tool.</summary>
    public IReadOnlyList<string[]> AdvisedLines { get; private init; } = [];

    /// <summary>Options that have the same meaning as one here.</summary>
    public static ForeignWord Same(string names, string option, string? value = null, string commands = "")
        => new(names, commands, hasValue: false) { Option = option, OptionValue = value };

    /// <summary>Options that ask for what is always done here.</summary>
    public static ForeignWord Always(string names, string reason, bool hasValue = false, string? onlyValue = null, string commands = "")
        => new(names, commands, hasValue) { Needless = reason, OnlyValue = onlyValue };

    /// <summary>Words that something else replaces. Command lines are quoted, and other options are those of the same command.</summary>
    public static ForeignWord Use(string names, string advice, bool hasValue = false, string commands = "") => new(names, commands, hasValue)
    {
        Advice = advice,
        AdvisedOptions = [.. advice.Split('\'').Where(static (_, index) => index % 2 == 0).SelectMany(static text => text.Split(' ', ',', ';')).Where(static word => word is ['-', _, ..])],
        AdvisedLines = [.. advice.Split('\'').Where(static (_, index) => index % 2 == 1).Select(static line => line.Split(' ')).Where(static line => line is ["transfer", ..]).Select(static line => line[1..])],
    };

    /// <summary>Words that have no replacement.</summary>
    public static ForeignWord Lacking(string names, string reason, bool hasValue = false, string commands = "")
        => new(names, commands, hasValue) { Advice = reason, IsLacking = true };
}
