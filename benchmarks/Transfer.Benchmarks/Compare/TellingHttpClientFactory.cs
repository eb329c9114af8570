using System.Net;
using Amazon.Runtime;
using Transfer.S3.Integrity;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Makes any store return a given checksum. It answers requests for the object's attributes itself, and replaces the ETag with an MD5. The cost
/// for each request is small, and the same for every checksum.
/// </summary>
internal sealed class TellingHttpClientFactory(StoredChecksum checksum, IReadOnlyList<long> partLengths) : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
        => new(new Handler(checksum, partLengths) { InnerHandler = new SocketsHttpHandler { AllowAutoRedirect = false } });

    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    private sealed class Handler(StoredChecksum checksum, IReadOnlyList<long> partLengths) : DelegatingHandler
    {
        private const string IfMatch = "If-Match";
        private const string ETag = "ETag";
        // A full-object hash belongs to a single-part object, so the ETag must be that of one.
        private readonly string? _tag = checksum switch
        {
            { Algorithm: ChecksumAlgorithm.Md5 } => $"\"{Convert.ToHexStringLower(Convert.FromBase64String(checksum.Value))}\"",
            { Algorithm: ChecksumAlgorithm.Sha256, IsComposite: false } => "\"in-one-piece\"",
            _ => null,
        };
        private string? _storesTag;

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            if (request.RequestUri!.Query.Contains("attributes", StringComparison.Ordinal))
            {
                return new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(Attributes(), null, "application/xml"), Headers = { { "x-amz-request-id", "R" } } };
            }

            if (_tag is not null && request.Headers.Remove(IfMatch))
            {
                request.Headers.TryAddWithoutValidation(IfMatch, _storesTag);
            }

            HttpResponseMessage response = await base.SendAsync(request, cancellationToken);
            if (_tag is not null && response.Headers.NonValidated.TryGetValues(ETag, out var values))
            {
                _storesTag = values.ToString();
                response.Headers.Remove(ETag);
                response.Headers.TryAddWithoutValidation(ETag, _tag);
            }

            return response;
        }

        private string Attributes()
        {
            string? name = ChecksumTable.Find(checksum.Algorithm)?.ElementName;
            string told = checksum.Algorithm != ChecksumAlgorithm.Md5 ? $"<Checksum><{name}>{checksum.Value}</{name}><ChecksumType>{(checksum.IsComposite ? "COMPOSITE" : "FULL_OBJECT")}</ChecksumType></Checksum>" : string.Empty;
            string parts = string.Concat(partLengths.Select((length, i) => $"<Part><PartNumber>{i + 1}</PartNumber><Size>{length}</Size></Part>"));
            return $"<GetObjectAttributesResponse>{told}<ObjectParts><IsTruncated>false</IsTruncated>{parts}</ObjectParts></GetObjectAttributesResponse>";
        }
    }
}
