namespace Transfer.S3.Cli.Execution;

/// <summary>Cleans errors of files: .NET puts the path behind or into its message, also where the path is named already.</summary>
internal static class FileError
{
    private static readonly (string Start, string End, string Reason)[] Sentences =
    [
        ("Access to the path '", "' is denied", "permission denied"),
        ("Could not find file '", "'", "no such file"),
        ("Could not find a part of the path '", "'", "no such folder"),
    ];

    /// <summary>Gets the reason of an error about a file that the message names already.</summary>
    public static string GetReason(Exception e) => Split(e.Message).Reason;

    /// <summary>Cleans a message that contains those of its causes, so that each path is in it once.</summary>
    public static string Clean(string message, Exception e)
    {
        foreach (Exception cause in e.WithCauses().Where(static cause => cause is IOException or UnauthorizedAccessException))
        {
            string said = cause.Message.TrimEnd('.');
            (string reason, string? path) = Split(cause.Message);
            if (string.IsNullOrEmpty(path) || !message.Contains(said, StringComparison.Ordinal))
            {
                continue;
            }

            string without = message.Replace(said, reason, StringComparison.Ordinal);
            message = without.Contains(path, StringComparison.Ordinal) ? without : message.Replace(said, $"'{path}': {reason}", StringComparison.Ordinal);
        }

        return message;
    }

    /// <summary>Splits a message of .NET into the reason and the path; null if it has none.</summary>
    private static (string Reason, string? Path) Split(string message)
    {
        string text = message.TrimEnd('.');
        foreach ((string start, string end, string reason) in Sentences)
        {
            if (text.StartsWith(start, StringComparison.Ordinal) && text.EndsWith(end, StringComparison.Ordinal) && text.Length > start.Length + end.Length)
            {
                return (reason, text[start.Length..^end.Length]);
            }
        }

        int colon = text.LastIndexOf(" : '", StringComparison.Ordinal);
        return colon > 0 && text.EndsWith('\'') && text.Length > colon + 5 ? (text[..colon], text[(colon + 4)..^1]) : (text, null);
    }
}
