using System.Collections.Frozen;

namespace Transfer.S3.Copy;

/// <summary>
/// Recognizes the headers of a response that aren't properties of the object: those of the transport, of the one response, of the stored version, of the bucket, and
/// of proxies. A copy has its own. docs/uploads.md lists them for users.
/// </summary>
internal static class TransportHeaders
{
    private static readonly FrozenSet<string> Names = FrozenSet.Create(
        StringComparer.OrdinalIgnoreCase,
        [
            // HTTP
            "Accept-Ranges", "Age", "Allow", "Alt-Svc", "Connection", "Content-Length", "Content-Location", "Content-Range", "Date", "ETag", "Keep-Alive", "Last-Modified", "Link",
            "Pragma", "Proxy-Connection", "Retry-After", "Server", "Set-Cookie", "Trailer", "Transfer-Encoding", "Upgrade", "Vary", "Via", "Warning",

            // Checksums, also those that only other stores have
            "Content-Digest", "Content-MD5", "Digest", "Repr-Digest", "x-goog-hash",

            // What browsers may do
            "Content-Security-Policy", "Content-Security-Policy-Report-Only", "Expect-CT", "NEL", "Origin-Agent-Cluster", "P3P", "Permissions-Policy", "Referrer-Policy", "Report-To",
            "Reporting-Endpoints", "Strict-Transport-Security", "Timing-Allow-Origin", "X-Content-Type-Options", "X-Download-Options", "X-Frame-Options",
            "X-Permitted-Cross-Domain-Policies", "X-XSS-Protection",

            // The response, the version, and the bucket (Amazon S3 API Reference, "GetObject" and "HeadObject"). Tags are read with a request of their own.
            "x-amz-access-point-alias", "x-amz-archive-status", "x-amz-bucket-arn", "x-amz-bucket-region", "x-amz-delete-marker", "x-amz-expiration", "x-amz-id-2",
            "x-amz-mp-parts-count", "x-amz-replication-status", "x-amz-request-charged", "x-amz-request-id", "x-amz-restore", "x-amz-tagging-count", "x-amz-version-id",

            // The key of the encryption, which KeptProperties decides about
            "x-amz-server-side-encryption-aws-kms-key-id", "x-amz-server-side-encryption-bucket-key-enabled", "x-amz-server-side-encryption-context",
            "x-amz-server-side-encryption-customer-key-MD5",

            // Stores, proxies, and tracing
            "Server-Timing", "Traceparent", "Tracestate", "X-AspNet-Version", "X-Correlation-Id", "X-Powered-By", "X-Real-IP", "X-Request-Id", "X-Runtime", "X-Served-By", "X-Timer",
            "X-Trace-Id", "X-Varnish", "x-goog-generation", "x-goog-metageneration", "x-goog-stored-content-encoding", "x-goog-stored-content-length", "x-guploader-uploadid",
            "x-openstack-request-id", "x-timestamp", "x-trans-id",
        ]);

    private static readonly string[] Prefixes =
    [
        "Access-Control-", "Akamai-", "CDN-", "CF-", "Cross-Origin-", "Fastly-", "Sec-", "X-Akamai-", "x-amz-cf-", "x-amz-checksum-", "x-amzn-", "X-B3-", "x-bz-", "X-Cache", "X-CDN",
        "x-cos-request-", "X-Envoy-", "X-Fastly-", "X-Forwarded-", "x-minio-", "x-obs-request-", "x-oss-request-", "X-RateLimit-", "x-rgw-", "x-wasabi-",
    ];

    public static bool Contains(string name) => Names.Contains(name) || Array.Exists(Prefixes, prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));
}
