using System.Text.RegularExpressions;

namespace Transfer.Cli.Execution;

/// <summary>Brings messages of the library and of .NET into the style of the tool: one sentence that begins with a small letter, without a period.</summary>
internal static partial class MessageStyle
{
    public static string Apply(string message)
    {
        string text = OpenFolder.Replace(message, string.Empty).TrimEnd().TrimEnd('.');
        text = SentenceEnd.Replace(text, static match => $"; {char.ToLowerInvariant(match.Value[^2])}{match.Value[^1]}");
        return text is [var first, var second, ..] && char.IsUpper(first) && (char.IsLower(second) || second == ' ') && !IsName(text) ? char.ToLowerInvariant(first) + text[1..] : text;
    }

    /// <summary>Gets whether a text begins with a name, such as PartSize or Amazon, which keeps its letters.</summary>
    private static bool IsName(string text)
    {
        string word = text.Split(' ', 2)[0];
        return word.Skip(1).Any(char.IsUpper) || word is "Amazon" or "Linux" or "Windows";
    }

    /// <summary>The folder that the tool has opened, whose number means nothing to a user.</summary>
    [GeneratedRegex(@"/proc/self/fd/\d+/|/dev/fd/\d+/")]
    private static partial Regex OpenFolder { get; }

    [GeneratedRegex(@"\. [A-Z][a-z]")]
    private static partial Regex SentenceEnd { get; }
}
