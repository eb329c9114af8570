using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Transfer.S3.Server;

/// <summary>The options of an <see cref="EmbeddedS3Server"/>. They are validated when the server starts.</summary>
/// <example>
/// <code>
/// EmbeddedS3ServerOptions options = new()
/// {
///     Buckets = ["photos", "reports"],
///     Directory = "/tmp/store", // what is stored remains after the end of the process
///     FirstByteDelay = TimeSpan.FromMilliseconds(30),
/// };
/// await using EmbeddedS3Server slow = await EmbeddedS3Server.StartAsync(options);
/// </code>
/// </example>
public sealed class EmbeddedS3ServerOptions
{
    /// <summary>Gets the address to listen on.</summary>
    /// <value>The default is <c>127.0.0.1</c>. It can be an IP address or <c>localhost</c>. <c>0.0.0.0</c> listens on all interfaces.</value>
    public string Host { get; init; } = ServerDefaults.Host;

    /// <summary>Gets the TCP port to listen on.</summary>
    /// <value>The default is 0: any free port. Range: 0 to 65535.</value>
    public int Port { get; init; }

    /// <summary>Gets the directory that stores buckets, objects, and incomplete uploads persistently. It is created if it doesn't exist.</summary>
    /// <value>The default is <see langword="null"/>: everything is kept in memory. The option can't be combined with <see cref="Discard"/>.</value>
    public string? Directory { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the server keeps only the sizes and checksums of objects, so that it doesn't limit the results of upload benchmarks.
    /// </summary>
    /// <value><see langword="true"/> to discard the content; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    /// <remarks>
    /// Checksums that a client sends are still verified. An MD5 is computed only if the client sends Content-MD5. ETags are made of the checksum and the length, in
    /// the form of those of multipart uploads. A GET request returns zero bytes in the size of the object, without checksum headers, because these wouldn't match.
    /// </remarks>
    public bool Discard { get; init; }

    /// <summary>
    /// Gets a value that indicates whether ETags are made of the MD5 of the content, as in Amazon S3 for objects that aren't encrypted with a KMS key or a
    /// customer-provided key.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to use MD5s; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>, ETags are
    /// made of the checksum and the length, in the form of those of multipart uploads. Use that to test clients that must not rely on MD5s, or to reduce the
    /// processor time of uploads to about a third.
    /// </value>
    public bool Md5ETags { get; init; } = true;

    /// <summary>Gets a value that indicates whether responses contain the checksums of objects, as in Amazon S3.</summary>
    /// <value>
    /// <see langword="true"/> to return checksums; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>,
    /// responses to GET, HEAD, and GetObjectAttributes contain no checksums. Use that to test clients with a store that keeps none. Checksums that a client sends
    /// are still verified.
    /// </value>
    public bool ReturnChecksums { get; init; } = true;

    /// <summary>Gets the access key ID that requests must be signed with.</summary>
    /// <value>The default is <c>transfer</c>. It must not be empty.</value>
    public string AccessKeyId { get; init; } = ServerDefaults.AccessKeyId;

    /// <summary>Gets the secret access key that requests must be signed with.</summary>
    /// <value>The default is <c>transfer-secret</c>. It must not be empty.</value>
    public string SecretAccessKey { get; init; } = ServerDefaults.SecretAccessKey;

    /// <summary>Gets a value that indicates whether requests without a signature are accepted. Invalid signatures are always rejected.</summary>
    /// <value><see langword="true"/> to accept requests without a signature; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool AllowAnonymous { get; init; }

    /// <summary>
    /// Gets a value that indicates whether buckets and objects can have the predefined access control lists <c>public-read</c> and <c>public-read-write</c>, which
    /// allow requests without a signature.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to accept predefined access control lists, as Amazon S3 does in buckets whose lists are enabled; otherwise, <see langword="false"/>. The
    /// default is <see langword="false"/>: as in new buckets of Amazon S3, a list for anyone but the owner is rejected with 400 AccessControlListNotSupported.
    /// </value>
    public bool AllowPublicAcls { get; init; }

    /// <summary>Gets the ID of the account that owns the buckets. Requests that expect another owner are rejected with 403 AccessDenied.</summary>
    /// <value>The default is <c>000000000000</c>. It must have 12 digits.</value>
    public string AccountId { get; init; } = ServerDefaults.AccountId;

    /// <summary>Gets the region of the buckets. Requests must be signed for it.</summary>
    /// <value>The default is <c>us-east-1</c>. It must not be empty, and can contain letters, digits, and hyphens.</value>
    public string Region { get; init; } = ServerDefaults.Region;

    /// <summary>Gets the names of the buckets that are created when the server starts.</summary>
    /// <value>The default is an empty list. A name has 3 to 63 characters: lower-case letters, digits, dots, and hyphens.</value>
    public IReadOnlyList<string> Buckets { get; init; } = [];

    /// <summary>Gets the certificate for HTTPS, with its private key. The server doesn't dispose it.</summary>
    /// <value>The default is <see langword="null"/>: plain HTTP.</value>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>Gets the delay of the first byte of every response.</summary>
    /// <value>The default is zero. Range: zero to 5 minutes. <see cref="EmbeddedS3Server.FirstByteDelay"/> changes it while the server runs.</value>
    public TimeSpan FirstByteDelay { get; init; }

    /// <summary>Gets the maximum rate of the bodies on each connection and in each direction, in bytes per second.</summary>
    /// <value>
    /// The default is <see langword="null"/>, no limit. Range: 1024 or more. <see cref="EmbeddedS3Server.ConnectionBytesPerSecond"/> changes it while the server
    /// runs.
    /// </value>
    public long? ConnectionBytesPerSecond { get; init; }

    /// <summary>Gets the maximum rate of the bodies over all connections together and in each direction, in bytes per second.</summary>
    /// <value>
    /// The default is <see langword="null"/>, no limit. Range: 1024 or more. <see cref="EmbeddedS3Server.LinkBytesPerSecond"/> changes it while the server runs.
    /// </value>
    public long? LinkBytesPerSecond { get; init; }

    /// <summary>Gets the maximum number of concurrent requests. Further requests are rejected with 503 SlowDown.</summary>
    /// <value>The default is <see langword="null"/>, no limit. Range: 1 or more.</value>
    public int? MaxRequests { get; init; }

    /// <summary>Gets the time after which a restored copy of an archived object (GLACIER or DEEP_ARCHIVE) can be read.</summary>
    /// <value>The default is zero: as soon as it is requested. Range: zero to 2 days.</value>
    public TimeSpan RestoreTime { get; init; }

    /// <summary>Gets the abilities that the server doesn't have. A request that uses one of them fails with 501 NotImplemented.</summary>
    /// <value>The default is an empty list. It can contain every ability except <see cref="ServerAbility.TagCount"/>.</value>
    public IReadOnlyCollection<ServerAbility> Refuses { get; init; } = [];

    /// <summary>
    /// Gets the abilities that the server doesn't have without telling so: a request that uses one of them is carried out as if it didn't.
    /// </summary>
    /// <value>The default is an empty list. The documentation of <see cref="ServerAbility"/> tells which abilities can only be refused.</value>
    public IReadOnlyCollection<ServerAbility> Ignores { get; init; } = [];

    /// <summary>
    /// Gets the path of a recording of another store, an HTTP Archive as <c>transfer --trace</c> writes it. The server then has no objects, but answers each request
    /// with the recorded response.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>. The option can't be combined with <see cref="Directory"/>, <see cref="Discard"/>, <see cref="Faults"/>,
    /// <see cref="Refuses"/>, and <see cref="Ignores"/>.
    /// </value>
    /// <remarks>
    /// Requests are found by method, path, query, and range. Their signatures aren't verified. Recordings don't contain the data of objects, so zeros are sent, with
    /// their checksum. A request that was not recorded fails with 501 NotRecorded.
    /// </remarks>
    public string? Replay { get; init; }

    /// <summary>Gets the faults that the server simulates from its start. <see cref="EmbeddedS3Server.SetFaults"/> changes them.</summary>
    /// <value>The default is <see langword="null"/>, no faults.</value>
    public FaultPlan? Faults { get; init; }

    /// <summary>Gets the clock for signatures, dates, delays, and rates.</summary>
    /// <value>The default is <see cref="TimeProvider.System"/>.</value>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Gets the factory of the logger that receives log messages: requests at level Debug, and errors of the server at level Error.</summary>
    /// <value>The default is <see langword="null"/>: nothing is logged.</value>
    public ILoggerFactory? LoggerFactory { get; init; }
}
