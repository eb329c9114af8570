using Transfer.S3.Server;

namespace Transfer.S3.Cli.Options;

/// <summary>The names of the abilities of the embedded server: <c>put-if-absent</c>.</summary>
internal static class AbilityText
{
    public static string Accepted { get; } = $"one of {string.Join(", ", Enum.GetValues<ServerAbility>().Select(static ability => EnumText.Name(ability)))}";

    /// <summary>Replaces the names of the library with those of the tool in an error about abilities.</summary>
    public static string Translate(string message) => message.StartsWith("--refuse", StringComparison.Ordinal) || message.StartsWith("--ignore", StringComparison.Ordinal)
        ? Enum.GetValues<ServerAbility>().OrderByDescending(static ability => ability.ToString().Length)
            .Aggregate(message, static (text, ability) => text.Replace(ability.ToString(), EnumText.Name(ability), StringComparison.Ordinal))
        : message;
}
