using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Transfer.Server;

/// <summary>How an <see cref="EmbeddedS3Server"/> listens, what it keeps and how fast it may be. Checked once, when the server starts.</summary>
public sealed class EmbeddedS3ServerOptions
{
    /// <summary>The address to listen on.</summary>
    /// <value>Default: <c>127.0.0.1</c>. An IP address, or <c>localhost</c>. <c>0.0.0.0</c> listens on every interface.</value>
    public string Host { get; init; } = ServerDefaults.Host;

    /// <summary>The TCP port to listen on.</summary>
    /// <value>Default: 0, which takes any free port. Range: 0 to 65535.</value>
    public int Port { get; init; }

    /// <summary>The folder that keeps buckets, objects and unfinished uploads, also over a restart. It is created when it is not there.</summary>
    /// <value>Default: <see langword="null"/>, everything is kept in memory. Not together with <see cref="Discard"/>.</value>
    public string? Directory { get; init; }

    /// <summary>Keep sizes and checksums, not bytes, so that the server is not what an upload measurement measures.</summary>
    /// <value>Default: <see langword="false"/>.</value>
    /// <remarks>
    /// Every checksum that a client sends is still verified. No MD5 is computed unless the client sends Content-MD5: the ETag is made of the
    /// checksum and the length, in the form of a multipart object's. A GET answers the recorded number of zero bytes, without checksum headers,
    /// which would not fit them.
    /// </remarks>
    public bool Discard { get; init; }

    /// <summary>Make ETags of the content's MD5, as S3 does of objects that are not encrypted with a key of KMS or of the customer.</summary>
    /// <value>
    /// Default: <see langword="true"/>. With <see langword="false"/> they are made of the checksum and the length, in the form of a multipart object's, so that a client can be
    /// tested that must not rely on them; and an upload costs a third of what it costs with MD5.
    /// </value>
    public bool Md5ETags { get; init; } = true;

    /// <summary>Tell the checksums of objects when they are read, as S3 does.</summary>
    /// <value>
    /// Default: <see langword="true"/>. With <see langword="false"/>, answers to GET, HEAD, and GetObjectAttributes have none, so that a client can be tested with a store that
    /// keeps none. Checksums that a client sends are still verified.
    /// </value>
    public bool TellChecksums { get; init; } = true;

    /// <summary>The access key id that requests must be signed with.</summary>
    /// <value>Default: <c>transfer</c>. Not empty.</value>
    public string AccessKeyId { get; init; } = ServerDefaults.AccessKeyId;

    /// <summary>The secret access key that requests must be signed with.</summary>
    /// <value>Default: <c>transfer-secret</c>. Not empty.</value>
    public string SecretAccessKey { get; init; } = ServerDefaults.SecretAccessKey;

    /// <summary>Accept requests without a signature. A signature that is there must still be right.</summary>
    /// <value>Default: <see langword="false"/>.</value>
    public bool AllowAnonymous { get; init; }

    /// <summary>The region that requests must be signed for and that buckets are in.</summary>
    /// <value>Default: <c>us-east-1</c>. Not empty, letters, digits and hyphens.</value>
    public string Region { get; init; } = ServerDefaults.Region;

    /// <summary>Names of buckets that exist as soon as the server runs.</summary>
    /// <value>Default: none. Each 3 to 63 characters: lower-case letters, digits, dots and hyphens.</value>
    public IReadOnlyList<string> Buckets { get; init; } = [];

    /// <summary>The certificate, with its private key, to serve https with. It stays the caller's to dispose.</summary>
    /// <value>Default: <see langword="null"/>, plain http.</value>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>How long every answer is held back before its first byte.</summary>
    /// <value>Default: zero. Range: zero to five minutes. <see cref="EmbeddedS3Server.FirstByteDelay"/> changes it.</value>
    public TimeSpan FirstByteDelay { get; init; }

    /// <summary>The rate of bodies on one connection, each direction for itself.</summary>
    /// <value>Default: <see langword="null"/>, no limit. Range: 1024 and more. Unit: bytes a second. <see cref="EmbeddedS3Server.ConnectionBytesPerSecond"/> changes it.</value>
    public long? ConnectionBytesPerSecond { get; init; }

    /// <summary>The rate of bodies over all connections together, each direction for itself.</summary>
    /// <value>Default: <see langword="null"/>, no limit. Range: 1024 and more. Unit: bytes a second. <see cref="EmbeddedS3Server.LinkBytesPerSecond"/> changes it.</value>
    public long? LinkBytesPerSecond { get; init; }

    /// <summary>Gets the number of requests that can be in flight at once. Further ones get 503 SlowDown.</summary>
    /// <value>The number of requests. The default is <see langword="null"/>, no limit. Range: 1 and more.</value>
    public int? MaxRequests { get; init; }

    /// <summary>How the server fails from its start on; <see cref="EmbeddedS3Server.SetFaults"/> changes it.</summary>
    /// <value>Default: <see langword="null"/>, it does not fail.</value>
    public FaultPlan? Faults { get; init; }

    /// <summary>The clock: signatures and dates are judged by it, delays and rates run on it.</summary>
    /// <value>Default: <see cref="TimeProvider.System"/>.</value>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Where the server logs: a line for each request at Debug, failures of its own at Error.</summary>
    /// <value>Default: <see langword="null"/>, nowhere.</value>
    public ILoggerFactory? LoggerFactory { get; init; }
}
