using Amazon.Runtime;

namespace Transfer.S3.Cli.Connections;

/// <summary>The values of a profile in the AWS configuration files.</summary>
/// <param name="Region">The region.</param>
/// <param name="EndpointUrl">The endpoint of the store.</param>
/// <param name="RequestChecksums">Which requests get checksums.</param>
/// <param name="ResponseChecksums">For which responses checksums are requested.</param>
internal sealed record ProfileValues(
    string? Region, string? EndpointUrl, RequestChecksumCalculation? RequestChecksums = null, ResponseChecksumValidation? ResponseChecksums = null)
{
    /// <summary>Gets the path of the file with the CA certificates to trust; null if the profile has none.</summary>
    public string? CaBundle { get; init; }
}
