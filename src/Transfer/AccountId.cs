namespace Transfer.S3;

/// <summary>The ID of an AWS account (AWS Account Management Reference Guide, "View AWS account identifiers").</summary>
/// <remarks>The server and the tool are compiled with this file.</remarks>
internal static class AccountId
{
    public const string Accepted = "the ID of an account: 12 digits";

    private const int Digits = 12;

    public static bool IsValid(string? text) => text is { Length: Digits } && text.All(char.IsAsciiDigit);
}
