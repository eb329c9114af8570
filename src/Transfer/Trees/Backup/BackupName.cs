namespace Transfer.S3.Trees;

/// <summary>The names that a backup can have. A taken name is never given to other content.</summary>
internal static class BackupName
{
    private const int MaxNumber = 99;

    /// <summary>Gets the names in the order in which they are tried: <c>a</c>, <c>a.~1~</c>, and so on, as other tools name numbered backups.</summary>
    public static IEnumerable<string> Candidates(string name)
    {
        // The slash at the end of an object that represents a folder stays at the end.
        string stem = name.TrimEnd('/');
        yield return name;
        for (int i = 1; i <= MaxNumber; i++)
        {
            yield return $"{stem}.~{i}~{name[stem.Length..]}";
        }
    }

    /// <summary>Creates the exception for a name that has too many backups.</summary>
    public static TransferException TooMany(string source, string backup)
        => new($"{source} was not touched, because its backup {backup} exists {MaxNumber + 1} times with other content. Use another backup for each run, such as one named after the date.");
}
