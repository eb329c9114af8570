namespace Transfer.Cli.Connections;

/// <summary>The values of a profile in the AWS configuration files.</summary>
internal sealed record ProfileValues(string? Region, string? EndpointUrl);
