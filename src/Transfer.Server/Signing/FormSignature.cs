using System.Security.Cryptography;
using System.Text;
using Transfer.S3.Server.Forms;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>Verifies the signature of a form's policy.</summary>
internal static class FormSignature
{
    /// <summary>Verifies a signature of version 4 or, as S3 does in its older regions, of version 2.</summary>
    /// <exception cref="S3Exception">Thrown when the signature is missing or wrong.</exception>
    public static void Verify(SignatureVerifier verifier, FormFields form)
    {
        string policy = form.Require("policy");
        if (form["AWSAccessKeyId"] is { } id)
        {
            string claimed = form.Require("signature");
            AccessKey key = verifier.AccessKeys.Find(id) ?? throw S3Errors.InvalidAccessKeyId(id);
#pragma warning disable CA5350 // signatures of version 2 are made with SHA-1
            string computed = Convert.ToBase64String(HMACSHA1.HashData(Encoding.UTF8.GetBytes(key.Secret), Encoding.UTF8.GetBytes(policy)));
#pragma warning restore CA5350
            verifier.CheckToken(key, form["x-amz-security-token"]);
            ThrowUnlessEqual(computed, claimed, id, policy);
            return;
        }

        if (form.Require("x-amz-algorithm") != SignatureClaim.Algorithm)
        {
            throw S3Errors.InvalidArgument("Only AWS4-HMAC-SHA256 is supported", "x-amz-algorithm", form["x-amz-algorithm"]);
        }

        string scope = form.Require("x-amz-credential");
        if (!CredentialScope.TryParse(scope, out CredentialScope? credential))
        {
            throw S3Errors.AuthorizationQueryParametersError("Error parsing the X-Amz-Credential parameter; it should be key/date/region/service/aws4_request.");
        }

        string signature = form.Require("x-amz-signature");
        var claim = new SignatureClaim(credential, [], signature, form.Require("x-amz-date"), ServerDefaults.MaximumPresignedSeconds);
        AccessKey accessKey = verifier.CheckCredential(claim);
        verifier.CheckToken(accessKey, form["x-amz-security-token"]);
        ThrowUnlessEqual(verifier.KeyFor(accessKey.Secret, credential.Date).Sign(policy), signature, credential.AccessKeyId, policy);
    }

    private static void ThrowUnlessEqual(string computed, string claimed, string accessKeyId, string policy)
    {
        if (!SigningKey.AreEqual(computed, claimed))
        {
            throw S3Errors.SignatureDoesNotMatch(accessKeyId, policy, policy);
        }
    }
}
