using System.Net;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>Learns which calls of GetObjectAttributes a store refuses.</summary>
internal static class AttributesRefusal
{
    /// <summary>
    /// Learns from an error of GetObjectAttributes that can't be retried. Any error but that the call isn't implemented, such as a missing permission, applies to an
    /// object, a prefix, or a bucket, so that a HEAD request is preferred where one can be sent.
    /// </summary>
    public static void LearnAttributes(this StoreProfile profile, string bucket, WireException error)
    {
        bool isStore = Refusals.IsOfOperation(error.StatusCode, error.ErrorCode);
        if (isStore || (!ErrorKinds.PassesWithCredentials(error.ErrorCode) && error.StatusCode != HttpStatusCode.NotFound))
        {
            profile.Learn(StoreTrait.Attributes, isStore ? StoreProfile.EveryBucket : bucket, StoreSupport.Refused, error.Message);
        }
    }
}
