using Amazon.Runtime;
using Amazon.RuntimeDependencies;
using Amazon.SSO;
using Amazon.SSOOIDC;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Creates the clients of single sign-on for the SDK. Without it, the SDK looks for their classes by name, which a native file doesn't have.</summary>
internal static class SignOnClients
{
    /// <summary>Tells the SDK how to create them. The packages are loaded when it does.</summary>
    public static void Register()
    {
        GlobalRuntimeDependencyRegistry.Instance.RegisterSSOClient(static context => CreateSso(context.SSOClientContextData));
        GlobalRuntimeDependencyRegistry.Instance.RegisterSSOOIDCClient(static context => CreateSsoOidc(context.SSOOIDCClientContextData));
    }

    private static AmazonSSOClient CreateSso(SSOClientContext context)
    {
        AmazonSSOConfig config = new() { RegionEndpoint = context.Region };
        config.SetWebProxy(context.ProxySettings);
        return new AmazonSSOClient(new AnonymousAWSCredentials(), config);
    }

    private static AmazonSSOOIDCClient CreateSsoOidc(SSOOIDCClientContext context)
    {
        AmazonSSOOIDCConfig config = new() { RegionEndpoint = context.Region };
        config.SetWebProxy(context.ProxySettings);
        return new AmazonSSOOIDCClient(new AnonymousAWSCredentials(), config);
    }
}
