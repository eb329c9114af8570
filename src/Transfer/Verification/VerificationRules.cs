using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>How an object is verified, and which requests may be sent for that.</summary>
/// <param name="Address">The object.</param>
/// <param name="IsEnabled">Whether the content is compared.</param>
/// <param name="ComparesMd5">Whether an ETag that is an MD5 is compared if the store holds no checksum.</param>
/// <param name="MayHead">Whether HEAD requests may be sent. None is sent if the caller gave a hint.</param>
/// <param name="MayAskForParts">Whether the lengths of the parts of a composite checksum may be requested.</param>
internal readonly record struct VerificationRules(ObjectAddress Address, bool IsEnabled, bool ComparesMd5, bool MayHead, bool MayAskForParts);
