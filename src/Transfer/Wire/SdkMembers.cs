using System.Reflection;
using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.Runtime.Internal;

namespace Transfer.S3.Wire;

/// <summary>
/// All members of the AWS SDK that this assembly uses and that aren't public. Another version of the SDK can have changed them, so each one has a fallback or an error
/// that names the version. <c>docs/versions.md</c> lists them, and a test compares it with this file.
/// </summary>
internal static class SdkMembers
{
    private const string CredentialsMember = "get_ExplicitAWSCredentials";
    private const string PipelineMember = "get_RuntimePipeline";
    private const string GenerateMember = "GenerateNewCredentialsAsync";
    private const string StateMember = "currentState";
    private const string CorrectionMember = "SetClockCorrectionForEndpoint";

    private static readonly AsyncLocal<string?> AmbientMissing = new();

    /// <summary>Gets or sets the name of a member that is taken to be missing, for the asynchronous method that sets it. Only a test does, because it has only one version of the SDK.</summary>
    public static string? Missing { get => AmbientMissing.Value; set => AmbientMissing.Value = value; }

    /// <summary>Gets the versions of the SDK for messages.</summary>
    public static string Versions => $"AWSSDK.S3 {GetVersion(typeof(Amazon.S3.AmazonS3Client))} and AWSSDK.Core {GetVersion(typeof(AmazonServiceClient))}";

    /// <summary>
    /// Gets the credentials from a client's constructor, which aren't in its configuration. Without such a member, the SDK sends the requests, because any other credentials
    /// could be those of another account.
    /// </summary>
    /// <returns>Null if the constructor got none.</returns>
    /// <exception cref="NotSupportedException">Thrown when the SDK has no such member.</exception>
    public static AWSCredentials? GetCredentials(AmazonServiceClient client)
        => TryUse(CredentialsMember, client, static client => Explicit(client), out AWSCredentials? credentials)
            ? credentials
            : throw Failure(CredentialsMember, "The library's own connections can't get the credentials of the client");

    /// <summary>Gets the handlers of a client's requests. Without such a member, the SDK can't send any, because it follows redirections to hosts of others.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK has no such member.</exception>
    public static RuntimePipeline GetPipeline(AmazonServiceClient client)
        => TryUse(PipelineMember, client, static client => Pipeline(client), out RuntimePipeline? pipeline)
            ? pipeline!
            : throw Failure(PipelineMember, "The library can't check where the SDK sends redirected requests");

    /// <summary>
    /// Gets new credentials of a provider while the old ones stay valid. The SDK offers new ones only after the old ones are cleared, and these are lost then if its source
    /// fails.
    /// </summary>
    /// <returns>Null if the SDK has no such members. Its provider then renews the credentials when they expire, and not when a store rejects them.</returns>
    public static async Task<RefreshingAWSCredentials.CredentialsRefreshState?> TryGenerateCredentialsAsync(RefreshingAWSCredentials provider)
        => TryUse(StateMember, provider, static provider => State(provider), out _)
            && TryUse(GenerateMember, provider, static provider => GenerateAsync(provider), out Task<RefreshingAWSCredentials.CredentialsRefreshState>? renewed)
            ? await renewed!.ConfigureAwait(false)
            : null;

    /// <summary>Replaces the credentials of a provider by those that it generated, as it does when they expire. It reads the field without a lock.</summary>
    public static void SetCredentials(RefreshingAWSCredentials provider, RefreshingAWSCredentials.CredentialsRefreshState state) => State(provider) = state;

    /// <summary>Removes the SDK's correction of the clock for an endpoint. Without such a member, it stays until the next error about the clock replaces it.</summary>
    public static void ResetClock(string endpoint) => TryUse(
        CorrectionMember,
        endpoint,
        static endpoint =>
        {
            SetCorrection(null, endpoint, TimeSpan.Zero);
            return true;
        },
        out _);

    /// <summary>Returns whether an exception means that the SDK has no such member.</summary>
    public static bool IsMissing(Exception e) => e is MissingMemberException or TypeLoadException or AmbiguousMatchException;

    /// <summary>Throws if a test takes a member to be missing.</summary>
    public static void ThrowIfMissing(string member)
    {
        if (Missing == member)
        {
            throw new MissingMethodException($"The member '{member}' is missing.");
        }
    }

    /// <summary>Creates the error of what needs a member that is missing.</summary>
    /// <param name="member">The member.</param>
    /// <param name="failed">What can't be done, as the beginning of a sentence.</param>
    /// <param name="innerException">The error of the access, if any.</param>
    public static NotSupportedException Failure(string member, string failed, Exception? innerException = null)
        => new($"{failed}, because {Versions} have no member {member}. Reference a version of AWSSDK.S3 that this library was tested with.", innerException);

    private static bool TryUse<TTarget, T>(string member, TTarget target, Func<TTarget, T> use, out T? value)
    {
        try
        {
            ThrowIfMissing(member);
            value = use(target);
            return true;
        }
        catch (Exception e) when (IsMissing(e))
        {
            value = default;
            return false;
        }
    }

    /// <summary>Gets the version of a package. The version of an assembly of the SDK has only the major one, and that of a file has always four numbers.</summary>
    private static string GetVersion(Type type)
        => type.Assembly.GetCustomAttribute<AssemblyFileVersionAttribute>() is not { Version: { } version } ? "of an unknown version"
            : version.Split('.') is [.. var package, "0"] ? string.Join('.', package) : version;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = CredentialsMember)]
    private static extern AWSCredentials? Explicit(AmazonServiceClient client);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = PipelineMember)]
    private static extern RuntimePipeline Pipeline(AmazonServiceClient client);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = GenerateMember)]
    private static extern Task<RefreshingAWSCredentials.CredentialsRefreshState> GenerateAsync(RefreshingAWSCredentials provider);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = StateMember)]
    private static extern ref RefreshingAWSCredentials.CredentialsRefreshState? State(RefreshingAWSCredentials provider);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = CorrectionMember)]
    private static extern void SetCorrection([UnsafeAccessorType("Amazon.Runtime.CorrectClockSkew, AWSSDK.Core")] object? clock, string endpoint, TimeSpan correction);
}
