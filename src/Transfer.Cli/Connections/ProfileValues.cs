namespace Transfer.Cli.Connections;

/// <summary>What a profile of the AWS configuration files says about the store.</summary>
internal sealed record ProfileValues(string? Region, string? EndpointUrl);
