using System.Text;

namespace Transfer.S3.Cli.Execution;

/// <summary>Brings messages of the library and of .NET into the style of the tool: one sentence that begins with a small letter, without a period.</summary>
internal static class MessageStyle
{
    /// <summary>The folders that the tool has opened, whose numbers mean nothing to a user.</summary>
    private static readonly string[] OpenFolders = ["/proc/self/fd/", "/dev/fd/"];

    public static string Apply(string message)
    {
        StringBuilder text = new(OpenFolders.Aggregate(message, WithoutFolders).TrimEnd().TrimEnd('.'));
        for (int i = 0; i + 3 < text.Length; i++)
        {
            if (text[i] == '.' && text[i + 1] == ' ' && char.IsUpper(text[i + 2]) && char.IsLower(text[i + 3]))
            {
                text[i] = ';';
                text[i + 2] = char.ToLowerInvariant(text[i + 2]);
            }
        }

        if (text.Length > 1 && (char.IsLower(text[1]) || text[1] == ' ') && !IsName(text.ToString()))
        {
            text[0] = char.ToLowerInvariant(text[0]);
        }

        return text.ToString();
    }

    /// <summary>Gets whether a text begins with a name, such as PartSize or Amazon, which keeps its letters.</summary>
    private static bool IsName(string text)
    {
        string word = text.Split(' ', 2)[0];
        return word.Skip(1).Any(char.IsUpper) || word is "Amazon" or "Linux" or "Windows";
    }

    /// <summary>Removes the folder with a number from all paths: /proc/self/fd/85/name is name.</summary>
    private static string WithoutFolders(string text, string folder)
    {
        int start = 0;
        while ((start = text.IndexOf(folder, start, StringComparison.Ordinal)) >= 0)
        {
            int end = start + folder.Length;
            while (end < text.Length && char.IsAsciiDigit(text[end]))
            {
                end++;
            }

            if (end == text.Length || text[end] != '/')
            {
                start = end; // the descriptor itself, as the user gave it
                continue;
            }

            text = text.Remove(start, end + 1 - start);
        }

        return text;
    }
}
