using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Server.Abilities;
using Transfer.S3.Server.Replay;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server;

/// <summary>The validated options of a server.</summary>
internal sealed class ResolvedOptions
{
    private ResolvedOptions(EmbeddedS3ServerOptions options, IPAddress address, string? directory)
    {
        Address = address;
        HostName = string.Equals(options.Host, "localhost", StringComparison.OrdinalIgnoreCase) ? "localhost" : null;
        Port = options.Port;
        Directory = directory;
        Discard = options.Discard;
        Md5ETags = options.Md5ETags;
        ReturnChecksums = options.ReturnChecksums;
        AccessKeyId = options.AccessKeyId;
        SecretAccessKey = options.SecretAccessKey;
        AllowAnonymous = options.AllowAnonymous;
        AllowPublicAcls = options.AllowPublicAcls;
        AccountId = options.AccountId;
        Region = options.Region;
        Buckets = [.. options.Buckets];
        Certificate = options.Certificate;
        Faults = options.Faults;
        FirstByteDelay = options.FirstByteDelay;
        ConnectionBytesPerSecond = options.ConnectionBytesPerSecond;
        LinkBytesPerSecond = options.LinkBytesPerSecond;
        MaxRequests = options.MaxRequests;
        RestoreTime = options.RestoreTime;
        Recording = options.Replay is null ? null : Recording.Read(options.Replay);
        Abilities = new ServerAbilities(options.Refuses, options.Ignores);
        Time = options.TimeProvider;
        LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance;
    }

    public IPAddress Address { get; }

    public string? HostName { get; }

    public int Port { get; }

    public string? Directory { get; }

    public bool Discard { get; }

    public bool Md5ETags { get; }

    public bool ReturnChecksums { get; }

    public string AccessKeyId { get; }

    public string SecretAccessKey { get; }

    public bool AllowAnonymous { get; }

    public bool AllowPublicAcls { get; }

    public string AccountId { get; }

    public string Region { get; }

    public IReadOnlyList<string> Buckets { get; }

    public X509Certificate2? Certificate { get; }

    public FaultPlan? Faults { get; }

    public TimeSpan FirstByteDelay { get; }

    public long? ConnectionBytesPerSecond { get; }

    public long? LinkBytesPerSecond { get; }

    public int? MaxRequests { get; }

    public TimeSpan RestoreTime { get; }

    public ServerAbilities Abilities { get; }

    /// <summary>Gets the responses of another store; null if the server has its own.</summary>
    public Recording? Recording { get; }

    public TimeProvider Time { get; }

    public ILoggerFactory LoggerFactory { get; }

    public static ResolvedOptions From(EmbeddedS3ServerOptions options)
    {
        IPAddress address = ParseHost(options.Host);
        Require(options.Port is >= 0 and <= 65535, nameof(options.Port), options.Port, "0 to 65535");
        Require(options.Directory is null || !options.Discard, nameof(options.Discard), options.Discard, "false while Directory is set");
        Require(options.Directory is null || options.Directory.Trim().Length > 0, nameof(options.Directory), options.Directory, "a path or null");
        Require(!string.IsNullOrWhiteSpace(options.AccessKeyId), nameof(options.AccessKeyId), options.AccessKeyId, "a non-empty string");
        Require(!string.IsNullOrWhiteSpace(options.SecretAccessKey), nameof(options.SecretAccessKey), "(hidden)", "a non-empty string");
        Require(Transfer.S3.AccountId.IsValid(options.AccountId), nameof(options.AccountId), options.AccountId, Transfer.S3.AccountId.Accepted);
        Require(IsRegion(options.Region), nameof(options.Region), options.Region, "letters, digits, and hyphens");
        foreach (string bucket in options.Buckets)
        {
            Require(BucketName.IsValid(bucket), nameof(options.Buckets), bucket, "3 to 63 lower-case letters, digits, dots, and hyphens");
        }

        Require(
            options.Certificate is null or { HasPrivateKey: true },
            nameof(options.Certificate),
            "without private key",
            "a certificate with its private key");
        RequireDelay(options.FirstByteDelay, nameof(options.FirstByteDelay));
        RequireRate(options.ConnectionBytesPerSecond, nameof(options.ConnectionBytesPerSecond));
        RequireRate(options.LinkBytesPerSecond, nameof(options.LinkBytesPerSecond));
        Require(
            options.RestoreTime >= TimeSpan.Zero && options.RestoreTime <= ServerDefaults.MaximumRestoreTime,
            nameof(options.RestoreTime),
            options.RestoreTime,
            $"{TimeSpan.Zero} to {ServerDefaults.MaximumRestoreTime}");
        Require(options.MaxRequests is null or >= 1, nameof(options.MaxRequests), options.MaxRequests, "null, or 1 or more");
        Require(
            options.Replay is null || (options.Directory is null && !options.Discard && options.Faults is null && options.Refuses.Count + options.Ignores.Count == 0),
            nameof(options.Replay),
            options.Replay,
            "null while Directory, Discard, Faults, Refuses, or Ignores is set");
        Require(options.TimeProvider is not null, nameof(options.TimeProvider), null, "a TimeProvider");
        return new ResolvedOptions(options, address, options.Directory is null ? null : Path.GetFullPath(options.Directory));
    }

    /// <exception cref="ArgumentException">Thrown when the delay is out of range.</exception>
    public static void RequireDelay(TimeSpan delay, string option) =>
        Require(
            delay >= TimeSpan.Zero && delay <= ServerDefaults.MaximumFirstByteDelay,
            option,
            delay,
            $"{TimeSpan.Zero} to {ServerDefaults.MaximumFirstByteDelay}");

    /// <exception cref="ArgumentException">Thrown when the rate is out of range.</exception>
    public static void RequireRate(long? bytesPerSecond, string option) =>
        Require(
            bytesPerSecond is null or >= ServerDefaults.MinimumBytesPerSecond,
            option,
            bytesPerSecond,
            $"null, or {ServerDefaults.MinimumBytesPerSecond} to {long.MaxValue} bytes per second");

    private static IPAddress ParseHost(string host)
    {
        if (string.Equals(host, "localhost", StringComparison.OrdinalIgnoreCase))
        {
            return IPAddress.Loopback;
        }

        Require(IPAddress.TryParse(host, out IPAddress? address), nameof(EmbeddedS3ServerOptions.Host), host, "an IP address or localhost");
        return address!;
    }

    private static bool IsRegion(string? region) =>
        !string.IsNullOrEmpty(region) && region.All(static c => char.IsAsciiLetterOrDigit(c) || c == '-');

    private static void Require(bool condition, string option, object? value, string allowed)
    {
        if (!condition)
        {
#pragma warning disable MA0015 // the message names the option; the parameter name of this method would mean nothing to the caller
            throw new ArgumentException($"{nameof(EmbeddedS3ServerOptions)}.{option} is '{value}'; allowed: {allowed}.");
#pragma warning restore MA0015
        }
    }
}
