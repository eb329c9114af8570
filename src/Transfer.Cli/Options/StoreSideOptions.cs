using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of a connection for one of two stores. They take precedence over those without a prefix, which apply to both stores.</summary>
/// <param name="prefix">The prefix of the names: from or to.</param>
/// <param name="side">The side in the descriptions: source or target.</param>
internal sealed class StoreSideOptions(string prefix, string side)
{
    public Option<string?> EndpointUrl { get; } = new($"--{prefix}-endpoint-url") { HelpName = "URL", Description = $"--endpoint-url of the {side} only." };

    public Option<string?> Region { get; } = new($"--{prefix}-region") { HelpName = "NAME", Description = $"--region of the {side} only." };

    public Option<string?> Profile { get; } = new($"--{prefix}-profile")
    {
        HelpName = "NAME",
        Description = $"--profile of the {side} only. Its endpoint and region take precedence over the environment.",
    };

    public Option<bool> PathStyle { get; } = new($"--{prefix}-path-style") { Description = $"--path-style for the {side} only." };

    public Option<bool> NoSignRequest { get; } = new($"--{prefix}-no-sign-request") { Description = $"--no-sign-request for the {side} only." };

    public Option<string?> CaBundle { get; } = new($"--{prefix}-ca-bundle") { HelpName = "FILE", Description = $"--ca-bundle for the {side} only." };

    public IReadOnlyList<Option> All => [EndpointUrl, Region, Profile, PathStyle, NoSignRequest, CaBundle];
}
