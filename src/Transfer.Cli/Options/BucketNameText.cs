namespace Transfer.S3.Cli.Options;

/// <summary>The rule for names of buckets (Amazon S3 User Guide, "General purpose bucket naming rules"). Some stores also accept others, so only they can refuse one.</summary>
internal static class BucketNameText
{
    public const string Rule = "a bucket name has 3 to 63 lowercase letters, digits, dots, and hyphens";

    /// <summary>Returns whether a name follows the rule. The ARN of an access point isn't a name.</summary>
    public static bool IsValid(string name)
        => name.Contains(':', StringComparison.Ordinal)
            || (name.Length is >= 3 and <= 63 && name.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '-')
                && char.IsAsciiLetterOrDigit(name[0]) && char.IsAsciiLetterOrDigit(name[^1]));
}
